import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AccountEffect } from '../model/account-effect.ts';
import { causedBy } from '../model/cause.ts';
import { requireAuthority } from '../roles/account-rights.ts';
import { withGroupRoles } from '../roles/group-roles.ts';
import { changeAccount, type Decision } from './change-account.ts';

/**
 * Deactivates an account, for an administrator or its user. The commit already shuts the user out, because every
 * authentication reads the account; the rest is an effect, applied before the response. May be repeated,
 * for instance to erase an account that was only deactivated.
 *
 * @param effects further effects
 *
 * @throws refuse.notFound, or refuse.forbidden when the account has a scope that the caller does not have
 */
export async function deactivateAccount(
  deps: Deps,
  userId: string,
  options: { readonly erase: boolean },
  caller: Requester,
  traceparent: string | null,
  effects: readonly AccountEffect[] = [],
): Promise<{ readonly idServerUnbindResult: string }> {
  const decide = decideDeactivation(deps, options, caller);
  const done = await changeAccount(deps, userId, causedBy(caller, traceparent), async (account) => {
    const decision = await decide(account);
    return { ...decision, effects: [...decision.effects, ...effects] };
  });
  if (!done) throw refuse.notFound('User not found');
  // No identity server is involved, so unbinding cannot fail.
  return { idServerUnbindResult: 'success' };
}

/** Decides about the deactivation that a caller requests, see `deactivation`. */
export function decideDeactivation(
  deps: Deps,
  options: { readonly erase: boolean },
  caller: Requester,
): (account: Account) => Promise<Decision> {
  return async (account) => {
    await requireAuthority(deps, caller, account);
    return deactivation(account, options);
  };
}

/** The change that deactivates an account, and its effects. */
export function deactivation(account: Account, options: { readonly erase: boolean }): Decision {
  const erased = account.erased || options.erase;
  return {
    set: {
      deactivated: true,
      erased,
      password_hash: null,
      ...(account.password_limit ? { password_limit: null } : {}),
      threepids: [],
      expiration_ts: null,
      ...(account.second_factor ? { second_factor: null } : {}),
      ...(account.groups?.length ? withGroupRoles({ ...account, groups: [] }, new Map()) : {}),
      ...(account.passkeys ? { passkeys: [] } : {}),
      ...(account.factor_required_ts ? { factor_required_ts: null } : {}),
      sessions: { epoch: account.sessions.epoch + 1, except: null },
      emptied_epoch: account.sessions.epoch + 1,
      ...(options.erase ? { displayname: null, avatar_url: null } : {}),
      ...(options.erase && account.profile_fields ? { profile_fields: [] } : {}),
    },
    effects: [
      { kind: 'deactivated', erased, ...(options.erase ? { previousAvatar: account.avatar_url } : {}) },
    ],
  };
}
