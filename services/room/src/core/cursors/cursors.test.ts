import type { Requester } from '@steward/rpc';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collections } from '../collections.ts';
import { type Cursor, type Known, NOTHING } from '../model/cursor.ts';
import { findCursor, keepCursor, pruneCursors } from './cursors.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const caller = (deviceId: string): Requester => ({
  userId: '@alice:test',
  owner: '@alice:test',
  deviceId,
  tokenId: deviceId,
  admin: false,
  guest: false,
  shadowBanned: false,
  suspended: false,
});

const alice = caller('A');

/** The cursor of a client whose user is in `count` rooms. */
const knowing = (count: number, from: Cursor = NOTHING): Cursor => ({
  ...from,
  accountData: count,
  rooms: new Map(
    Array.from({ length: count }, (_, index): [string, Known] => [
      `!${index}:test`,
      { membership: 'join', arrival: count },
    ]),
  ),
});

const clock = createFakeClock();
let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterEach(() => store.close());

const open = async () => ({ clock, cursors: await store.collection(collections.cursors) });

it('a cursor is found by its token, also from another device of the user', async () => {
  const deps = await open();
  const token = await keepCursor(deps, alice, knowing(2));
  for (const session of [alice, caller('B')]) {
    expect(await findCursor(deps, session, token)).toMatchObject({ accountData: 2, rooms: knowing(2).rooms });
  }
  expect(await findCursor(deps, { ...alice, userId: '@bob:test' }, token)).toBeUndefined();
});

it('superseded cursors are removed, and their tokens find an earlier cursor', async () => {
  const deps = await open();
  const tokens: string[] = [];
  let cursor: Cursor | undefined;
  for (let count = 1; count <= 8; count++) {
    const token = await keepCursor(deps, alice, knowing(count, cursor));
    tokens.push(token);
    cursor = await findCursor(deps, alice, token);
    clock.advance(4 * MINUTE_MS);
  }
  const sizeOf = async (token = '') => (await findCursor(deps, alice, token))?.rooms.size;
  const sizes = await Promise.all(tokens.map(sizeOf));
  expect(sizes).toEqual([1, 1, 1, 1, 1, 6, 7, 8]);
  expect(await deps.cursors.countDocuments({})).toBeLessThan(8);
});

it('a client that never sends a token does not fill the store', async () => {
  const deps = await open();
  for (let minute = 0; minute < 60; minute++) {
    await keepCursor(deps, alice, knowing(1));
    clock.advance(MINUTE_MS);
  }
  expect(await deps.cursors.countDocuments({})).toBeLessThan(15);
});

it('concurrent cursors of several sessions get different numbers', async () => {
  const deps = await open();
  const tokens = await Promise.all(
    ['A', 'B', 'C', 'A'].map((id) => keepCursor(deps, caller(id), knowing(1))),
  );
  expect(new Set(tokens).size).toBe(4);
});

it('cursors expire and are removed after a month', async () => {
  const deps = await open();
  const token = await keepCursor(deps, alice, knowing(1));
  clock.advance(30 * DAY_MS);
  await pruneCursors(deps);
  expect(await findCursor(deps, alice, token)).toBeDefined();
  clock.advance(1);
  expect(await findCursor(deps, alice, token)).toBeUndefined();
  await pruneCursors(deps);
  expect(await deps.cursors.countDocuments({})).toBe(0);
});

it('a cursor does not store rooms that were left long ago', async () => {
  const deps = await open();
  const left = (stay: number): Known => ({ membership: 'leave', arrival: 1, stay });
  const now = clock.now() * 1024;
  const rooms = new Map([
    ['!old:test', left(now - 10 * MINUTE_MS * 1024)],
    ['!new:test', left(now)],
  ]);
  const token = await keepCursor(deps, alice, { ...NOTHING, rooms });
  expect([...((await findCursor(deps, alice, token))?.rooms.keys() ?? [])]).toEqual(['!new:test']);
});
