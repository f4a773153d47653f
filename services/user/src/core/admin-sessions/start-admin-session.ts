import { refuse } from '@steward/errors';
import { newMarkedSecret, randomId } from '@steward/kernel';
import { type Client, SESSION_SECRET_PREFIX } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { type AdminSession, MAX_ADMIN_SESSIONS } from '../model/admin-session.ts';
import type { ProviderSession } from '../model/provider-session.ts';
import { tokenDigest } from '../model/token.ts';
import { hasEndedSince } from '../provider-sessions/ended-while-signing-in.ts';
import { isOfTerm } from './live-session.ts';

/** A session that has just started, with its secret. */
export interface StartedAdminSession {
  readonly session: AdminSession;
  readonly secret: string;
}

/**
 * Starts an administrator session by one write. The oldest sessions of the account end where it has too many. A crash before
 * the answer leaves a session whose secret is lost, until it expires.
 *
 * @param proof when the user proved who they are, with which second factor, and what limits the rights that this gives
 * @param providedTs when the login token was made with which it begins, if it does
 * @throws refuse.forbidden when all sessions of the account end while it starts, or the provider has ended those of its user
 */
export async function startAdminSession(
  deps: Deps,
  account: Account,
  { address, userAgent }: Client,
  proof: Pick<
    AdminSession,
    | 'proved_ts'
    | 'proved_factor'
    | 'proved_passkey'
    | 'rights_limit'
    | 'provider'
    | 'provider_factor'
    | keyof ProviderSession
  >,
  providedTs?: number,
): Promise<StartedAdminSession> {
  const secret = newMarkedSecret(SESSION_SECRET_PREFIX, deps.random);
  const now = deps.clock.now();
  const session: AdminSession = {
    _id: tokenDigest(secret),
    id: randomId(deps.random),
    user_id: account._id,
    epoch: account.sessions.epoch,
    created_ts: now,
    used_ts: now,
    address,
    user_agent: userAgent,
    ...(account.rights_term === undefined ? {} : { rights_term: account.rights_term }),
    ...proof,
  };
  await deps.adminSessions.insertOne(session);
  const current = await deps.accounts.findOne({ _id: account._id });
  const isEnded = providedTs !== undefined && (await hasEndedSince(deps, session, providedTs));
  if (!current || !isOfTerm(session, current) || isEnded) {
    await deps.adminSessions.deleteOne({ _id: session._id });
    throw refuse.forbidden('The session ended during the request: log in again');
  }
  await endOldest(deps, session);
  return { session, secret };
}

/** Ends the oldest sessions of an account beyond the maximum, of which `started` is the latest. */
async function endOldest({ adminSessions }: Deps, started: AdminSession): Promise<void> {
  const surplus = await adminSessions
    .find(
      { user_id: started.user_id, _id: { $ne: started._id } },
      { sort: { created_ts: -1 }, skip: MAX_ADMIN_SESSIONS - 1, projection: { _id: 1 } },
    )
    .toArray();
  if (surplus.length === 0) return;
  await adminSessions.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
}
