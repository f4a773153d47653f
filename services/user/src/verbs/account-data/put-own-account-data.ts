import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { PutRoomAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { changeAccountData } from '../../core/account-data/change-account-data.ts';
import { requireUsableName } from '../../core/account-data/require-usable-name.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { PUSH_RULES } from '../../core/model/account-data.ts';

/** The types that endpoints of their own set. */
const SET_ELSEWHERE: ReadonlySet<string> = new Set(['m.fully_read', PUSH_RULES]);

export async function putOwnAccountData(
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
  await changeAccountData(deps, requester(context), { roomId, type: requireUsableName(type) }, () => content);
  return {};
}
