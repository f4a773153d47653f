import { unchanged } from '@steward/service';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';
import { roleNameOf } from '../model/role.ts';
import { hasSecondFactor } from '../model/second-factor.ts';
import { ADMIN_ROLE } from '../roles/built-in-roles.ts';

/** An account, as far as a second factor is required of it. */
type Holder = Pick<Account, 'admin' | 'roles' | 'second_factor' | 'passkeys' | 'factor_required_ts'>;

/** Whether the server requires a second factor that an account does not have. */
export function lacksRequiredFactor(
  { settings }: Pick<Deps, 'settings'>,
  account: Pick<Holder, 'admin' | 'roles' | 'second_factor' | 'passkeys'>,
): boolean {
  const { secondFactorRoles: required } = settings;
  if (required === undefined || hasSecondFactor(account)) return false;
  const held = [...(account.admin ? [ADMIN_ROLE] : []), ...(account.roles ?? []).map(roleNameOf)];
  return required === 'all' ? held.length > 0 : held.some((name) => required.has(name));
}

/**
 * From when on an administrator session has no rights before its account has a second factor, in milliseconds since the Unix epoch;
 * undefined when none is missing, or the identity provider of the session has proved one. A session that is older than the requirement
 * counts from its own start.
 */
export function enrolmentDue(
  deps: Pick<Deps, 'settings'>,
  account: Holder,
  session: Pick<AdminSession, 'created_ts' | 'provider_factor'>,
): number | undefined {
  if (session.provider_factor || !lacksRequiredFactor(deps, account)) return undefined;
  return (account.factor_required_ts ?? session.created_ts) + deps.settings.secondFactorGraceMs;
}

/** Whether an administrator session has no rights before its account has a second factor. */
export function mustEnrolNow(
  deps: Pick<Deps, 'settings' | 'clock'>,
  account: Holder,
  session: Pick<AdminSession, 'created_ts' | 'provider_factor'>,
): boolean {
  const due = enrolmentDue(deps, account, session);
  return due !== undefined && due <= deps.clock.now();
}

/** Begins the time in which an account has to enrol, with the first session in which a second factor is missing. */
export async function beginEnrolmentTime(
  deps: Deps,
  account: Account,
  session: Pick<AdminSession, 'created_ts' | 'provider_factor'>,
): Promise<void> {
  if (account.factor_required_ts || enrolmentDue(deps, account, session) === undefined) return;
  await accountAggregate.change(deps, account._id, (current) =>
    current.factor_required_ts || current.deactivated
      ? unchanged(undefined)
      : { set: { factor_required_ts: session.created_ts } },
  );
}
