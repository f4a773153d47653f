import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  PutAccountDataRequest,
  PutRoomAccountDataRequest,
} from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { usableName } from '../../core/account-data/usable-name.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';

/** What is set by calls of its own. */
const SET_ELSEWHERE: ReadonlySet<string> = new Set(['m.fully_read', PUSH_RULES]);

/** Sets an object of the caller's account (client-plane.md 7.7). */
export async function putAccountData(deps: Deps, request: PutAccountDataRequest, context: HandlerContext) {
  return putOwnAccountData(deps, { ...request, roomId: GLOBAL }, context);
}

/** Sets an object that the caller's account keeps for a room, of which it need not be a member. */
export async function putRoomAccountData(
  deps: Deps,
  request: PutRoomAccountDataRequest,
  context: HandlerContext,
) {
  return putOwnAccountData(deps, request, context);
}

async function putOwnAccountData(
  deps: Deps,
  {
    userId,
    roomId,
    type,
    content,
  }: Pick<PutRoomAccountDataRequest, 'userId' | 'roomId' | 'type' | 'content'>,
  context: HandlerContext,
) {
  ownAccount(context, userId);
  if (SET_ELSEWHERE.has(type)) throw refuse.notSetHere(`${type} is not set here`);
  raiseDeferred(context);
  await changeAccountData(deps, requester(context), { roomId, type: usableName(type) }, () => content);
  return {};
}
