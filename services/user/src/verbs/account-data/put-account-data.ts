import type { HandlerContext } from '@connectrpc/connect';
import type { PutAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL } from '../../core/model/account-data.ts';
import { putOwnAccountData } from './put-own-account-data.ts';

/** Sets an object of the caller's account (client-plane.md 7.7). */
export async function putAccountData(deps: Deps, request: PutAccountDataRequest, context: HandlerContext) {
  return putOwnAccountData(deps, { ...request, roomId: GLOBAL }, context);
}
