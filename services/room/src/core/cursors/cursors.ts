import type { Requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import {
  advance,
  type Cursor,
  cursorId,
  readStored,
  type StoredCursor,
  tokenOf,
  writeRooms,
} from '../model/cursor.ts';
import { firstEpochAt } from '../model/membership-epochs.ts';
import { readToken } from '../protocol/mod.ts';
import { sessionOf } from '../reading/transaction.ts';

type CursorDeps = Pick<Deps, 'cursors' | 'clock'>;

/** How long a token is answered incrementally, in milliseconds (client-plane.md 10.1). */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** How long a superseded cursor is kept, in milliseconds: some clients save theirs every few minutes. */
const LEFT_BEHIND_MS = 10 * 60_000;

/** One cursor of each such period is kept for its whole lifetime, in milliseconds. */
const MILESTONE_MS = 6 * 60 * 60_000;

/** By how much the clocks of instances may differ, in milliseconds. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** Cursors that can be numbered within a millisecond: numbers are times, in parts of this many. */
const NUMBERS_PER_MS = 1_024;

/** Old cursors that are removed together. */
const PRUNE_BATCH = 500;

/**
 * What a client with a token knows; `undefined` where the token is unknown or too old, so that everything is
 * new. One that was left behind is answered with an earlier one that is still there: the client is then
 * sent some of what it knows again, and misses nothing.
 *
 * @throws refuse.unknown for what is no token
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
 * The token of what a client knows now. Mostly it says by how much more that is than at the last one;
 * otherwise the cursor is stored, and those that the client has left behind go.
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
  // Rooms that were left so long ago that no sync reads them again.
  const forgotten = firstEpochAt(now - CLOCK_SKEW_MS);
  const rooms = new Map([...cursor.rooms].filter(([, { stay = forgotten }]) => stay >= forgotten));
  const stored = await insert(deps, {
    ...session,
    number: Math.max(now * NUMBERS_PER_MS, (newest?.number ?? 0) + 1),
    created_ts: now,
    milestone: !newest || periodOf(newest.created_ts) !== periodOf(now),
    account_data: cursor.accountData ?? 0,
    rooms: writeRooms(rooms),
  });
  await deps.cursors.deleteMany({
    ...session,
    number: { $lt: cursor.stored?.number ?? newest?.number ?? 0 },
    milestone: false,
    created_ts: { $lt: now - LEFT_BEHIND_MS },
  });
  return tokenOf(readStored(stored)) as string;
}

function periodOf(ms: number): number {
  return Math.floor(ms / MILESTONE_MS);
}

/** Stores a cursor, under the next number that is free: other sessions of the user count as well. */
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

/** Removes expired cursors, some at a time. Safe to run in several processes at once. */
export async function pruneCursors(deps: CursorDeps): Promise<void> {
  const over = { created_ts: { $lt: deps.clock.now() - LIFETIME_MS } };
  for (;;) {
    const found = await deps.cursors.find(over, { projection: { user_id: 1 }, limit: PRUNE_BATCH }).toArray();
    await deps.cursors.bulkWrite(
      found.map(({ _id, user_id }) => ({ deleteOne: { filter: { _id, user_id } } })),
    );
    if (found.length < PRUNE_BATCH) return;
  }
}
