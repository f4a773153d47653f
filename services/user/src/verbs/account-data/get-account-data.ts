import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { contentOf } from '../../core/account-data/content-of.ts';
import { ownAccount } from '../../core/accounts/own-account.ts';
import type { Deps } from '../../core/deps.ts';
import { GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { pushRulesText } from '../../core/push-rules/push-rules-text.ts';

/** Returns an object of the caller's account data (client-plane.md 7.7); the push rules always exist. */
export async function getAccountData(deps: Deps, request: GetAccountDataRequest, context: HandlerContext) {
  const userId = ownAccount(context, request.userId);
  raiseDeferred(context);
  const held = await contentOf(deps, userId, GLOBAL, request.type);
  if (request.type === PUSH_RULES) return { content: pushRulesText(userId, held) };
  return { content: requireFound(held) };
}

/** @throws refuse.notFound for an object that was never set */
export function requireFound(content: string | undefined): string {
  if (content === undefined) throw refuse.notFound('There is no such account data');
  return content;
}
