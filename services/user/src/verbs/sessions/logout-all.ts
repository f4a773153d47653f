import type { HandlerContext } from '@connectrpc/connect';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';

/**
 * Ends all sessions of the user that the calling token acts as; when that user owns the token, the tokens with
 * which the owner acts as other users end, too.
 */
export async function logoutAll(deps: Deps, context: HandlerContext) {
  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  await changeAccount(deps, caller.userId, cause, (account) => ({
    set: { sessions: { epoch: account.sessions.epoch + 1, except: null } },
    effects: [{ kind: 'sessions_ended' }],
  }));
  return {};
}
