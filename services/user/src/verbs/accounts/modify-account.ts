import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { PutUserRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { requester, requireUsedScope } from '@steward/rpc';
import type { Decision } from '../../core/accounts/change-account.ts';
import { deactivation } from '../../core/accounts/deactivate-account.ts';
import { endOtherSessions } from '../../core/accounts/end-other-sessions.ts';
import { withPassword } from '../../core/accounts/new-password.ts';
import { claimsOn } from '../../core/accounts/threepid-claims.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import type { AccountEffect } from '../../core/model/account-effect.ts';
import { toHeldExternalIds } from '../../core/model/external-id.ts';
import { limitIds } from '../../core/model/limited-ids.ts';
import { profileText } from '../../core/model/profile.ts';
import { holdersOf, holdThreepids, latestClaims, type RequestedThreepid } from '../../core/model/threepid.ts';
import { requireAuthority, requireAuthorityOverAll } from '../../core/roles/account-rights.ts';
import { limitOfPassword } from '../../core/sessions/limit-of-caller.ts';

/**
 * Returns how PUT changes an existing account: every key of the body is applied, in the documented order
 * (behaviour.md 2.2). The password is hashed once, even when the decision runs again after a conflict.
 *
 * @throws the refusals that do not depend on the account
 */
export async function decideModification(
  deps: Deps,
  request: PutUserRequest,
  requestedThreepids: ReadonlyMap<string, RequestedThreepid>,
  context: HandlerContext,
): Promise<(account: Account) => Promise<Decision>> {
  const caller = requester(context);
  const presentKeys = new Set(request.present?.paths);
  for (const key of ['displayname', 'avatar_url'] as const) {
    const value = key === 'displayname' ? request.displayname : request.avatarUrl;
    if (presentKeys.has(key) && value === undefined) throw refuse.invalidParam(`'${key}' must be a string`);
  }
  if (request.admin === false && caller.userId === request.userId) {
    throw refuse.unknown('You cannot demote yourself');
  }
  if (request.password !== undefined && !deps.settings.passwordsMaySet) {
    throw refuse.forbidden('Users have no passwords on this server');
  }
  const password =
    request.password === undefined
      ? undefined
      : {
          hash: await deps.passwords.hash(request.password, caller.userId),
          limit: await limitOfPassword(deps, caller, request.userId),
        };

  return async (account) => {
    await requireAuthority(deps, caller, account);
    if (request.admin !== undefined) await requireAuthority(deps, caller, { admin: request.admin });
    // A request can set these to their defaults without the scopes of the fields, for an account that has them already.
    if (removesIds(account, presentKeys, request)) requireUsedScope(context, Scope.USERS_CREDENTIALS);
    if (account.admin && request.admin === false) requireUsedScope(context, Scope.ACCESS_WRITE);
    const claims = latestClaims(await claimsOn(deps, [...requestedThreepids.keys()]));
    await requireAuthorityOverAll(deps, caller, holdersOf(claims));
    const effects: AccountEffect[] = [];
    const idsLimit =
      presentKeys.has('threepids') || presentKeys.has('external_ids')
        ? await limitOfPassword(deps, caller, request.userId)
        : null;
    let next: Account = account;
    const set = (fields: Partial<Account>) => {
      next = { ...next, ...fields };
    };

    if (request.displayname !== undefined) set({ displayname: profileText(request.displayname) });
    if (presentKeys.has('threepids')) {
      const { _id: userId, threepids: held } = account;
      const threepids = holdThreepids(userId, held, requestedThreepids, claims, deps.clock.now());
      set({ threepids });
      if (threepids.some((threepid) => !held.includes(threepid))) effects.push({ kind: 'threepids_claimed' });
    }
    if (presentKeys.has('external_ids')) set({ external_ids: toHeldExternalIds(request.externalIds) });
    set(limitIds(account, next, idsLimit));
    if (request.avatarUrl !== undefined) set({ avatar_url: profileText(request.avatarUrl) });
    if (next.displayname !== account.displayname || next.avatar_url !== account.avatar_url) {
      effects.push({ kind: 'profile_changed', previousAvatar: account.avatar_url });
    }
    if (request.admin !== undefined) set({ admin: request.admin });
    if (password !== undefined) {
      set(withPassword(account, password));
      if (request.logoutDevices !== false) {
        const ended = endOtherSessions(account, caller);
        set({ sessions: ended.sessions });
        effects.push(ended.effect);
      }
    }
    if (request.deactivated === true && !account.deactivated) {
      const { set: fields, effects: more } = deactivation(next, { erase: false });
      set(fields);
      effects.push(...more);
    } else if (request.deactivated === false && account.deactivated) {
      const needsPassword = deps.settings.passwordsMaySet && !account.acts_for_server;
      if (needsPassword && !presentKeys.has('password')) {
        throw refuse.unknown('A password must be given to reactivate the account');
      }
      set({ deactivated: false, erased: false });
      effects.push({ kind: 'reactivated' });
    }
    if (request.locked !== undefined) set({ locked: request.locked });
    if (presentKeys.has('user_type')) set({ user_type: request.userType ?? null });
    const { approved } = request;
    if (
      deps.settings.approvalRequired &&
      approved !== undefined &&
      approved === (next.awaits_approval ?? false)
    ) {
      set({ awaits_approval: !approved });
    }

    return { set: next, effects };
  };
}

/** Whether a request removes all addresses or all external ids of an account. */
function removesIds(
  account: Account,
  presentKeys: ReadonlySet<string>,
  { threepids, externalIds }: PutUserRequest,
): boolean {
  const removes = (key: string, requested: readonly unknown[], held: readonly unknown[]) =>
    presentKeys.has(key) && requested.length === 0 && held.length > 0;
  return (
    removes('threepids', threepids, account.threepids) ||
    removes('external_ids', externalIds, account.external_ids)
  );
}
