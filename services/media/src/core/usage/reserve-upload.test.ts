import { loadConfig } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { createQuotas } from '@steward/limits';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { CLAIM_GRACE_MS } from '../keep-blob.ts';
import { addMedia } from './add-media.ts';
import { releaseUpload, reserveUpload } from './reserve-upload.ts';

const ALICE = '@alice:test';
const USER = { userId: ALICE, admin: false };

/** Processes on one store, and the statuses of uploads of a length that they begin for a user with the quotas. */
async function prepared(quotas: Readonly<Record<string, number>>) {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const clock = createFakeClock();
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ quotas }) } });
  const machine = () => machineOn(store, { clock, quotas: createQuotas(config) });
  const deps = await machine();
  const begin = (id: string, length: number, on = deps) =>
    reserveUpload(on, USER, { media: `test/${id}`, length }).then(
      () => 200,
      (error: unknown) => toRefusal(error).status,
    );
  const usage = () => deps.usage.findOne({ _id: ALICE });
  return { deps, machine, clock, begin, usage };
}

it('reserves space for an upload in progress, in every process', async () => {
  const { begin, machine } = await prepared({ media_bytes: 100 });
  expect(await begin('a', 60)).toBe(200);
  expect(await begin('b', 41, await machine())).toBe(403);
  expect(await begin('b', 40, await machine())).toBe(200);
});

it('reserves for parallel uploads in one commit, and refuses exactly those that do not fit', async () => {
  const { begin, usage } = await prepared({ media_bytes: 100 });
  const lengths = [60, 50, 30, 20, 10, 5];
  const statuses = await Promise.all(lengths.map((length) => begin(`m${length}`, length)));
  expect(statuses).toEqual([200, 403, 200, 403, 200, 403]);
  // The first version has no media.
  expect(await usage()).toMatchObject({ version: 2, reserved: { length: 3 } });
});

it('reserves exactly the quota for parallel uploads in two processes', async () => {
  const { begin, machine, deps, usage } = await prepared({ media_count: 7 });
  const machines = [deps, await machine()];
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => begin(`m${n}`, 1, machines[n % 2])),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(7);
  expect((await usage())?.reserved).toHaveLength(7);
});

it('counts the media of parallel uploads together, and releases others', async () => {
  const { begin, deps, usage } = await prepared({ media_count: 10 });
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => begin(id, 5)));
  const before = (await usage())?.version ?? 0;
  await Promise.all([
    ...['a', 'b', 'c'].map((id) =>
      addMedia(deps, { ...mediumOf(id, { length: 5, sha256: null }), user_id: ALICE }),
    ),
    releaseUpload(deps, USER, 'test/d'),
  ]);
  const after = await usage();
  expect(after).toMatchObject({ count: 3, length: 15, reserved: [] });
  expect(after?.version).toBeLessThan(before + 4);
});

it('ends a reservation when the upload fails', async () => {
  const { begin, deps, usage } = await prepared({ media_count: 1 });
  await begin('a', 1);
  await releaseUpload(deps, USER, 'test/a');
  expect(await usage()).toMatchObject({ count: 0, reserved: [] });
  expect(await begin('b', 1)).toBe(200);
});

it('ends a reservation with the commit that counts the medium', async () => {
  const { begin, deps, usage } = await prepared({ media_count: 2 });
  await begin('a', 5);
  await addMedia(deps, { ...mediumOf('a', { length: 5 }), user_id: ALICE });
  expect(await usage()).toMatchObject({ count: 1, length: 5, reserved: [] });
  expect([await begin('b', 1), await begin('c', 1)]).toEqual([200, 403]);
});

it('lets the reservation of a crashed process expire', async () => {
  const { begin, clock } = await prepared({ media_count: 1 });
  await begin('a', 1);
  clock.advance(CLAIM_GRACE_MS - 1);
  expect(await begin('b', 1)).toBe(403);
  clock.advance(1);
  expect(await begin('b', 1)).toBe(200);
});

it('reserves nothing for a user without quotas', async () => {
  const { begin, usage } = await prepared({ media_count: -1, media_bytes: -1 });
  expect(await begin('a', 1)).toBe(200);
  expect(await usage()).toBeNull();
});
