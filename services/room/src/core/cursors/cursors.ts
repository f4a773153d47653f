import { TIMES_PER_MS } from '@steward/kernel';
import type { Requester } from '@steward/rpc';
import { Conflict, removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import {
  advance,
  type Cursor,
  cursorId,
  readStored,
  type StoredCursor,
  tokenOf,
  writeEphemeral,
  writeRooms,
} from '../model/cursor.ts';
import { firstEpochAt } from '../model/membership-epochs.ts';
import { readToken } from '../protocol/mod.ts';
import { sessionOf } from '../reading/transaction.ts';

type CursorDeps = Pick<Deps, 'cursors' | 'clock'>;

/** How long a sync with a token is incremental, in milliseconds (client-plane.md 10.1). */
export const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** How long a superseded cursor is kept, in milliseconds: some clients save their token every few minutes. */
const SUPERSEDED_MS = 10 * 60_000;

/** The period, in milliseconds, of which one cursor is kept for its whole lifetime. */
const MILESTONE_MS = 6 * 60 * 60_000;

/** The greatest difference between the clocks of instances, in milliseconds. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * The cursor of a token; `undefined` if the token is unknown or expired, so that the client receives everything. For a
 * superseded cursor that was removed, an earlier one is used: the client then receives some changes twice, and misses
 * none.
 *
 * @throws refuse.unknown for an invalid token
 */
export async function findCursor(
  deps: CursorDeps,
  caller: Requester,
  text: string,
): Promise<Cursor | undefined> {
  const token = readToken(text);
  if (token?.kind !== 'sync' || token.position === 0) return undefined;
  const { userId } = caller;
  const exact = await deps.cursors.findOne({ _id: cursorId(userId, token.position), user_id: userId });
  if (exact) return isExpired(deps, exact) ? undefined : advance(readStored(exact), text);
  const session = { user_id: userId, session: sessionOf(caller) };
  const later = await deps.cursors.findOne(
    { ...session, number: { $gt: token.position } },
    { projection: { _id: 1 } },
  );
  if (!later) return undefined;
  const earlier = await deps.cursors.findOne(
    { ...session, number: { $lt: token.position } },
    { sort: { number: -1 } },
  );
  return earlier && !isExpired(deps, earlier) ? readStored(earlier) : undefined;
}

function isExpired(deps: Pick<Deps, 'clock'>, { created_ts }: StoredCursor): boolean {
  return created_ts < deps.clock.now() - LIFETIME_MS;
}

/**
 * The token of what a client knows now. If the token can express the progress since the stored cursor, nothing is
 * stored; otherwise a new cursor is stored, and superseded ones are removed.
 */
export async function keepCursor(deps: CursorDeps, caller: Requester, cursor: Cursor): Promise<string> {
  const token = tokenOf(cursor);
  if (token !== undefined) return token;
  const { userId } = caller;
  const session = { user_id: userId, session: sessionOf(caller) };
  const newest = await deps.cursors.findOne(session, {
    sort: { number: -1 },
    projection: { number: 1, created_ts: 1 },
  });
  const now = deps.clock.now();
  // Rooms that were left before this epoch are no longer read by any sync.
  const oldestEpoch = firstEpochAt(now - CLOCK_SKEW_MS);
  const rooms = new Map([...cursor.rooms].filter(([, { stay = oldestEpoch }]) => stay >= oldestEpoch));
  const stored = await insert(deps, {
    ...session,
    number: Math.max(now * TIMES_PER_MS, (newest?.number ?? 0) + 1),
    created_ts: now,
    milestone: !newest || periodOf(newest.created_ts) !== periodOf(now),
    account_data: cursor.accountData ?? 0,
    ...(cursor.delivery ? { delivery: cursor.delivery } : {}),
    ...(cursor.keys === undefined ? {} : { keys: cursor.keys }),
    rooms: writeRooms(rooms),
    ...writeEphemeral(rooms),
  });
  await deps.cursors.deleteMany({
    ...session,
    number: { $lt: cursor.stored?.number ?? newest?.number ?? 0 },
    milestone: false,
    created_ts: { $lt: now - SUPERSEDED_MS },
  });
  return tokenOf(readStored(stored)) as string;
}

function periodOf(ms: number): number {
  return Math.floor(ms / MILESTONE_MS);
}

/** Stores a cursor under the next free number among all sessions of the user. */
async function insert(deps: CursorDeps, init: Omit<StoredCursor, '_id'>): Promise<StoredCursor> {
  for (let { number } = init; ; number++) {
    const stored = { ...init, number, _id: cursorId(init.user_id, number) };
    try {
      await deps.cursors.insertOne(stored);
      return stored;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** Removes expired cursors in batches. Safe to run in several processes concurrently. */
export async function pruneCursors(deps: CursorDeps): Promise<void> {
  const expired = { created_ts: { $lt: deps.clock.now() - LIFETIME_MS } };
  await removeInBatches(deps.cursors, expired);
}
