import { refuse } from '@steward/errors';
import { randomId } from '@steward/kernel';
import { removeBatch } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { InteractiveSession } from '../model/interactive-session.ts';

/** How long a session of user-interactive authentication lives (client-plane.md 2.4). */
const SESSION_LIFE_MS = 48 * 60 * 60 * 1000;

/** The longest first request that a session stores, in characters of its JSON: more than cross-signing keys take. */
const MAX_BODY_CHARS = 8 * 1024;

/** How many sessions a user may have; one more deletes the oldest. */
const MAX_OF_USER = 10;

/** How many registrations an address may have, from which many users may register; one more deletes the oldest. */
const MAX_OF_ADDRESS = 50;

/** How many expired sessions are deleted whenever one is opened. */
const PRUNE_BATCH = 100;

/** The operation and the user that a session authenticates. */
export interface SessionScope {
  /** Method and path, with the values in the path that matter. */
  readonly operation: string;
  /** The user of the session; null for a registration. */
  readonly userId: string | null;
  /** The user, or the address of a registration, whose sessions are counted. */
  readonly openedBy: string;
}

/** Opens a session that stores a request, in place of the oldest one where there are enough. */
export async function openInteractiveSession(
  deps: Deps,
  { operation, userId, openedBy }: SessionScope,
  body: unknown,
): Promise<InteractiveSession> {
  const now = deps.clock.now();
  await pruneSessions(deps, now);
  await makeRoom(deps, openedBy, userId === null ? MAX_OF_ADDRESS : MAX_OF_USER);
  const text = JSON.stringify(body);
  const session: InteractiveSession = {
    _id: randomId(deps.random),
    operation,
    user_id: userId,
    opened_by: openedBy,
    body: text.length > MAX_BODY_CHARS ? null : text,
    completed: [],
    chosen: null,
    expires_ts: now + SESSION_LIFE_MS,
  };
  await deps.interactiveSessions.insertOne(session);
  return session;
}

/** Deletes a batch of expired sessions: larger than the one session that is opened, so that a backlog shrinks. */
async function pruneSessions({ interactiveSessions }: Deps, now: number): Promise<void> {
  const expired = { expires_ts: { $lt: now } };
  await removeBatch(interactiveSessions, expired, { sort: { expires_ts: 1 }, size: PRUNE_BATCH });
}

/** Deletes the oldest sessions of a user or an address, so that less than `limit` remain. */
async function makeRoom({ interactiveSessions }: Deps, openedBy: string, limit: number): Promise<void> {
  const open = await interactiveSessions
    .find({ opened_by: openedBy }, { sort: { expires_ts: -1 }, projection: { _id: 1 } })
    .toArray();
  if (open.length < limit) return;
  await interactiveSessions.deleteMany({ _id: { $in: open.slice(limit - 1).map(({ _id }) => _id) } });
}

/**
 * The session that a request continues.
 *
 * @throws refuse.unknown when it is unknown or has expired, refuse.forbidden when it belongs to another user or
 * was opened for another operation
 */
export async function resumeInteractiveSession(
  deps: Deps,
  { operation, userId }: Pick<SessionScope, 'operation' | 'userId'>,
  session: string,
): Promise<InteractiveSession> {
  const found = await deps.interactiveSessions.findOne({ _id: session });
  if (!found || found.expires_ts < deps.clock.now()) throw refuse.unknown('Unknown session');
  if (found.user_id !== userId) throw refuse.forbidden('The session belongs to another user');
  if (found.operation !== operation)
    throw refuse.forbidden("The session belongs to another request: begin again without 'session'");
  return found;
}

/**
 * The request that opened a session; `Body` is the type that the operation stored.
 *
 * @throws refuse.missingParam when it was too long to be stored
 */
export function rememberedBody<Body>({ body }: InteractiveSession): Body {
  if (body === null) throw refuse.missingParam('The request is too long to be stored: send it again');
  return JSON.parse(body) as Body;
}
