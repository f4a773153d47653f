import type { HandlerContext } from '@connectrpc/connect';
import type { GetRoomAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { contentOf } from '../../core/account-data/content-of.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { requireFound } from './get-account-data.ts';

/** Returns an object of the caller's account data of a room. */
export async function getRoomAccountData(
  deps: Deps,
  request: GetRoomAccountDataRequest,
  context: HandlerContext,
) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  return { content: requireFound(await contentOf(deps, userId, request.roomId, request.type)) };
}
