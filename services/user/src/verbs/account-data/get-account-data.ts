import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  GetAccountDataRequest,
  GetRoomAccountDataRequest,
} from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { pushRulesText } from '../../core/push-rules/push-rules-text.ts';
import { accountDataId, GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';

/** An object of the caller's account (client-plane.md 7.7); the push rules are always there. */
export async function getAccountData(deps: Deps, request: GetAccountDataRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  const held = await contentOf(deps, userId, GLOBAL, request.type);
  if (request.type === PUSH_RULES) return { content: pushRulesText(userId, held) };
  return { content: found(held) };
}

/** An object that the caller's account keeps for a room. */
export async function getRoomAccountData(
  deps: Deps,
  request: GetRoomAccountDataRequest,
  context: HandlerContext,
) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  return { content: found(await contentOf(deps, userId, request.roomId, request.type)) };
}

/** The content of an object as it is stored; `undefined` when it was never set. */
export async function contentOf(
  deps: Pick<Deps, 'accountData'>,
  userId: string,
  roomId: string,
  type: string,
): Promise<string | undefined> {
  const held = await deps.accountData.findOne({ _id: accountDataId(userId, { roomId, type }) });
  return held?.content;
}

function found(content: string | undefined): string {
  if (content === undefined) throw refuse.notFound('There is no such account data');
  return content;
}
