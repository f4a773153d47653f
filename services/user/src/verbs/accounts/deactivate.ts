import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { DeactivateRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers, raiseDeferred, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import { type Cause, causedBy } from '../../core/model/account-effect.ts';

/** Deactivates an account for an administrator (behaviour.md 2.5). */
export async function deactivate(deps: Deps, request: DeactivateRequest, context: HandlerContext) {
  await existingAccount(deps, request.userId);
  raiseDeferred(context);
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  return deactivateAccount(deps, request.userId, { erase: request.erase }, cause);
}

/**
 * Deactivates an account, whoever asks for it. The commit already shuts its user out, because every
 * authentication reads the account; the rest is owed and done before the answer. May be repeated, for
 * instance to erase an account that was only deactivated.
 *
 * @throws refuse.notFound
 */
export async function deactivateAccount(
  deps: Deps,
  userId: string,
  options: { readonly erase: boolean },
  cause: Cause,
): Promise<{ readonly idServerUnbindResult: string }> {
  const done = await changeAccount(deps, userId, cause, (account) => deactivation(account, options));
  if (!done) throw refuse.notFound('User not found');
  // No identity server is ever asked, so none can fail to support unbinding.
  return { idServerUnbindResult: 'success' };
}

/** What deactivation makes of an account, and what it owes. */
export function deactivation(account: Account, options: { readonly erase: boolean }): Decision {
  const erased = account.erased || options.erase;
  return {
    set: {
      deactivated: true,
      erased,
      password_hash: null,
      threepids: [],
      expiration_ts: null,
      sessions: { epoch: account.sessions.epoch + 1, except: null },
      emptied_epoch: account.sessions.epoch + 1,
      ...(options.erase ? { displayname: null, avatar_url: null } : {}),
    },
    owed: [{ kind: 'deactivated', erased }],
  };
}
