import { create } from '@bufbuild/protobuf';
import { systemClock } from '@steward/kernel';
import { ImportMediaRequestSchema } from '@steward/proto/steward/media/v1/import_pb.ts';
import { openSqliteStore, type Store, Unavailable } from '@steward/store';
import { crashableStore } from '@steward/store/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Deps } from '../core/deps.ts';
import { markDeleting } from '../core/mark-deleting.ts';
import { addMedia } from '../core/usage/add-media.ts';
import { machineOn } from '../fixtures/machine-on.ts';
import { mediumOf } from '../fixtures/medium.ts';
import { importMedia } from './import-media.ts';

const USERS = ['@a:test', '@b:test', '@c:test'];

/** Twice as many media of the first user as of the others. */
const records = (count: number, from = 0) =>
  create(ImportMediaRequestSchema, {
    media: Array.from({ length: count }, (_, n) => ({
      mediaId: `m${from + n}`,
      userId: USERS[n % 4] ?? '@a:test',
      mediaType: 'image/png',
      mediaLength: BigInt(from + n),
      createdTs: 1n,
    })),
  });

async function openStore(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return store;
}

/** A store that changes one document at a time, as those do that several processes share. */
const withoutAlong = (store: Store): Store => ({
  ...store,
  capabilities: { ...store.capabilities, insertsAlongCommit: false },
});

async function expectExact({ media, usage }: Deps): Promise<void> {
  const all = await media.find({}).toArray();
  expect(all.filter(({ uncounted }) => uncounted)).toEqual([]);
  for (const userId of USERS) {
    const lengths = all.filter(({ user_id }) => user_id === userId).map(({ length }) => length);
    expect(await usage.findOne({ _id: userId })).toMatchObject({
      count: lengths.length,
      length: lengths.reduce((sum, length) => sum + length, 0),
      facet: 'some',
    });
  }
}

describe.each([
  ['with the commit that counts it', (store: Store) => store],
  ['before the commit that counts it', withoutAlong],
])('a medium that is inserted %s', (_, adapt) => {
  it('counts once, beside uploads and other imports of the same records', async () => {
    const deps = await machineOn(adapt(await openStore()));
    const uploads = USERS.map((user_id, n) =>
      addMedia(deps, { ...mediumOf(`upload${n}`, { length: 5 }), user_id }),
    );
    await Promise.all([importMedia(deps, records(40)), importMedia(deps, records(60)), ...uploads]);
    await expectExact(deps);
    expect(await deps.media.countDocuments({})).toBe(63);
    expect(await importMedia(deps, records(70))).toEqual({ loaded: 10, skipped: 60, problems: [] });
    await expectExact(deps);
  });
});

it('stores the usage of a new user with the display name, by one write', async () => {
  const displaynames = async (userIds: readonly string[]) => new Map(userIds.map((id) => [id, `Name ${id}`]));
  const deps = await machineOn(await openStore(), { users: { displaynames } });
  const laterWrites = vi.spyOn(deps.usage.unversioned, 'bulkWrite');
  await importMedia(deps, records(4));
  const [usage] = await deps.usage.find({ _id: '@b:test' }).toArray();
  expect(usage).toMatchObject({ version: 1, displayname: 'Name @b:test', searched_name: 'Name @b:test' });
  expect(usage).not.toHaveProperty('unnamed');
  expect(laterWrites).not.toHaveBeenCalled();
});

it('counts each medium once when the import is repeated after a crash at any call of the store', async () => {
  let completed = false;
  for (let call = 1; !completed; call++) {
    const store = withoutAlong(await openStore());
    const crashable = crashableStore(store);
    const crashing = await machineOn(crashable.store);
    crashable.crashAt(call, 'during');
    await importMedia(crashing, records(9)).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
    });
    completed = !crashable.hasCrashed;
    const deps = await machineOn(store);
    await importMedia(deps, records(9));
    expect(await deps.media.countDocuments({})).toBe(9);
    await expectExact(deps);
  }
});

it('a medium whose deletion a crash interrupted is loaded anew, and not removed later', async () => {
  const store = await openStore();
  const deps = await machineOn(store);
  await importMedia(deps, records(4));
  await markDeleting(
    store,
    systemClock,
    (await deps.media.find({}).toArray()).map(({ _id }) => _id),
  );
  expect(await importMedia(deps, records(4))).toEqual({ loaded: 4, skipped: 0, problems: [] });
  expect(await deps.media.countDocuments({ state: 'stored' })).toBe(4);
  await expectExact(deps);
});
