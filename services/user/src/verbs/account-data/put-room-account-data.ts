import type { HandlerContext } from '@connectrpc/connect';
import type { PutRoomAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { putOwnAccountData } from './put-own-account-data.ts';

/** Sets an object that the caller's account keeps for a room, of which it need not be a member. */
export async function putRoomAccountData(
  deps: Deps,
  request: PutRoomAccountDataRequest,
  context: HandlerContext,
) {
  return putOwnAccountData(deps, request, context);
}
