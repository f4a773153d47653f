import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Migration, type MigrationOptions, migrate } from './migrate.ts';
import { Unavailable } from './port/errors.ts';
import type { Store } from './port/store.ts';
import { openSqliteStore } from './sqlite/open.ts';
import { sharedStore } from './testing/shared-store.ts';

let alone: Store;
/** The same for several processes. */
let store: Store;
let now: number;
let ran: string[];
beforeEach(async () => {
  alone = await openSqliteStore({ path: ':memory:' });
  store = sharedStore(alone);
  now = 1_000;
  ran = [];
});
afterEach(() => store.close());

const step = (number: number, run = async () => {}): Migration => ({
  number,
  name: `step ${number}`,
  run: async () => {
    ran.push(`step ${number}`);
    await run();
  },
});
const options = (owner: string): MigrationOptions => ({
  service: 'user',
  owner,
  clock: { now: () => now },
  deadlineMs: 60_000,
  wait: async (ms) => {
    now += ms;
  },
});

it('tells which migration begins, and how far it is', async () => {
  const seen: string[] = [];
  const long: Migration = { ...step(2), run: async (_store, onDone) => onDone?.(200) };
  const onProgress: MigrationOptions['onProgress'] = ({ service, name, done }) =>
    void seen.push(`${service} ${name} ${done}`);
  await migrate(store, [step(1), long], { ...options('a'), onProgress });
  expect(seen).toEqual(['user step 1 0', 'user step 2 0', 'user step 2 200']);
});

it('runs each migration once, in order', async () => {
  await migrate(store, [step(1), step(2)], options('a'));
  await migrate(store, [step(1), step(2), step(3)], options('b'));
  await migrate(store, [step(1), step(2), step(3)], options('a'));
  expect(ran).toEqual(['step 1', 'step 2', 'step 3']);
});

it('continues after the last completed migration', async () => {
  const broken = step(2, () => Promise.reject(new Error('no')));
  await expect(migrate(store, [step(1), broken], options('a'))).rejects.toThrow('no');
  await migrate(store, [step(1), step(2)], options('b'));
  expect(ran).toEqual(['step 1', 'step 2', 'step 2']);
});

it('waits for another process, up to the deadline', async () => {
  const inner = step(1, async () => {
    await expect(migrate(store, [step(1)], options('b'))).rejects.toThrow(Unavailable);
  });
  await migrate(store, [inner], options('a'));
  expect(ran).toEqual(['step 1']);
});

it('waits for no other process when all migrations have run', async () => {
  const last = step(2, async () => {
    await migrate(store, [step(1)], options('b'));
  });
  await migrate(store, [step(1), last], options('a'));
  expect(now).toBe(1_000);
  expect(ran).toEqual(['step 1', 'step 2']);
});

it('takes over from a crashed process', async () => {
  const crashes = step(1, async () => {
    now += 11 * 60_000;
    await migrate(store, [step(1)], options('b'));
  });
  await expect(migrate(store, [crashes], options('a'))).rejects.toThrow(/taken over/);
  expect(ran).toEqual(['step 1', 'step 1']);
});

it('waits for no crashed process where it is the only one', async () => {
  const crashes = step(1, async () => {
    await migrate(alone, [step(1)], options('b'));
  });
  await expect(migrate(store, [crashes], options('a'))).rejects.toThrow(/taken over/);
  expect(now).toBe(1_000);
  expect(ran).toEqual(['step 1', 'step 1']);
});

it('refuses gaps, and data of a later release', async () => {
  await expect(migrate(store, [step(2)], options('a'))).rejects.toThrow(TypeError);
  await migrate(store, [step(1), step(2)], options('a'));
  await expect(migrate(store, [step(1)], options('a'))).rejects.toThrow(RangeError);
});
