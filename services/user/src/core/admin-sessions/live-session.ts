import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { AdminSession } from '../model/admin-session.ts';
import { isInEpoch, tokenDigest } from '../model/token.ts';

/** More than an account has, also while several start at once. */
const MOST_STORED = 100;

type LifeDeps = Pick<Deps, 'settings' | 'clock'>;

/** When a session ends at the latest, in milliseconds since the Unix epoch. */
export function endOf({ settings }: Pick<Deps, 'settings'>, session: AdminSession): number {
  return session.created_ts + settings.adminLifetimeMs;
}

/** When a session ends unless it is used before, in milliseconds since the Unix epoch. */
export function idleEndOf({ settings }: Pick<Deps, 'settings'>, session: AdminSession): number {
  return session.used_ts + settings.adminIdleMs;
}

/**
 * Whether a session has neither been ended by its account nor expired. One that was last used in the future, before a clock was
 * set back, has expired as well, because it would outlive its time.
 */
export function isSessionAlive(deps: LifeDeps, session: AdminSession, account: Account): boolean {
  const now = deps.clock.now();
  const isInUse = Math.abs(now - session.used_ts) < deps.settings.adminIdleMs;
  return isOfTerm(session, account) && now < endOf(deps, session) && isInUse;
}

/** Whether an account has not ended a session: neither all at once, nor by losing its last role. */
export function isOfTerm(session: AdminSession, account: Account): boolean {
  return isInEpoch(session, account) && (session.rights_term ?? 0) === (account.rights_term ?? 0);
}

/** The live session of a secret, with its account; `undefined` when there is none. */
export async function findLiveSession(
  deps: Pick<Deps, 'adminSessions' | 'accounts'> & LifeDeps,
  secret: string,
): Promise<{ readonly session: AdminSession; readonly account: Account } | undefined> {
  const session = await deps.adminSessions.findOne({ _id: tokenDigest(secret) });
  if (!session) return undefined;
  const account = await deps.accounts.findOne({ _id: session.user_id });
  return account && isSessionAlive(deps, session, account) ? { session, account } : undefined;
}

/** The live sessions of an account, the latest first. */
export async function liveSessionsOf(
  deps: Pick<Deps, 'adminSessions'> & LifeDeps,
  account: Account,
): Promise<readonly AdminSession[]> {
  const sessions = await deps.adminSessions
    .find({ user_id: account._id }, { sort: { created_ts: -1 }, limit: MOST_STORED })
    .toArray();
  return sessions.filter((session) => isSessionAlive(deps, session, account));
}
