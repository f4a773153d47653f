import type { HandlerContext } from '@connectrpc/connect';
import type { PutRoomAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { putOwnAccountData } from './put-own-account-data.ts';

/** Sets an object of the caller's account data of a room; the caller need not be a member of the room. */
export async function putRoomAccountData(
  deps: Deps,
  request: PutRoomAccountDataRequest,
  context: HandlerContext,
) {
  return putOwnAccountData(deps, request, context);
}
