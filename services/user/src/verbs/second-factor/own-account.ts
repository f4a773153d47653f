import type { HandlerContext } from '@connectrpc/connect';
import { refuse, stepUpRequired } from '@steward/errors';
import { type Requester, requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { tryPassword } from '../../core/sessions/try-password.ts';

/**
 * The caller's account.
 *
 * @throws refuse.forbidden for a caller without an account, or who acts as another user
 */
export async function ownAccount(deps: Deps, context: HandlerContext): Promise<Account> {
  const { kind, userId, owner } = requester(context);
  if (kind === 'automation_token' || kind === 'client') throw refuse.forbidden('This requires an account');
  if (userId !== owner) throw refuse.forbidden('This requires a token of the user');
  return requireUsable(await accountAggregate.load(deps, userId));
}

/**
 * The caller's account, whose user has proved to know the password: in the request, or in an administrator session by a
 * recent step-up.
 *
 * @throws refuse.missingParam, stepUpRequired, refuse.forbidden or limitExceeded
 */
export async function provedAccount(
  deps: Deps,
  context: HandlerContext,
  { password }: { readonly password?: string | undefined },
): Promise<Account> {
  const account = await ownAccount(deps, context);
  if (password === undefined) requireRecentProof(deps, requester(context));
  else await requirePassword(deps, account, password);
  return account;
}

/** @throws refuse.unknownToken when an account was deactivated during the request, or is gone */
export function requireUsable(account: Account | undefined): Account {
  if (!account || account.deactivated) throw refuse.unknownToken('Unknown access token');
  return account;
}

function requireRecentProof(
  { clock, settings }: Deps,
  { kind, provedTs = 0, proofStages = [] }: Requester,
): void {
  if (kind !== 'session') throw refuse.missingParam("'password' is missing");
  if (clock.now() - provedTs > settings.stepUpMs) throw stepUpRequired(proofStages);
}

async function requirePassword(deps: Deps, account: Account, password: string): Promise<void> {
  const { _id: userId, password_hash: hash } = account;
  if (hash === null) throw refuse.forbidden('The account has no password');
  const matches = await tryPassword(deps, userId.toLowerCase(), () =>
    deps.passwords.verify(hash, password, userId),
  );
  if (!matches) throw refuse.forbidden('Invalid password');
}
