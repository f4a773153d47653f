import { systemRandom } from '@steward/kernel';
import { insertAggregates, openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { derivedKey } from './blobs/blob-key.ts';
import { collections } from './collections.ts';
import type { Deps } from './deps.ts';
import { type Media, mediaKey } from './model/media.ts';
import { removeMedia, sweepDeleting } from './remove-media.ts';
import { countMedia, exactUsage } from './usage/count-media.ts';

const USER = '@a:test';

const medium = (media_id: string): Media => ({
  _id: mediaKey('test', media_id),
  version: 1,
  origin: 'test',
  media_id,
  user_id: USER,
  created_ts: 1,
  length: 10,
  type: 'image/png',
  upload_name: null,
  sha256: null,
  last_access_ts: null,
  quarantined_by: null,
  safe_from_quarantine: false,
  blob: media_id,
  authenticated: false,
  state: 'stored',
  thumbnails: [],
  uncounted: true,
});

/** Longer than the sweep leaves a deletion to the request that began it, in milliseconds. */
const LONG_MS = 120_000;

async function machineOn(store: Store, fields: Partial<Record<keyof Deps, unknown>>) {
  const clock = createFakeClock();
  const deps = {
    ...(await openCollections(store, collections)),
    clock,
    random: systemRandom,
    users: { displaynames: async () => new Map(), avatarsInUse: async () => [] },
    ...fields,
  } as Partial<Record<keyof Deps, unknown>> as Deps;
  return { deps, clock };
}

it('keeps the record of a medium, without serving it, until its bytes can be removed', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const gone = new Set<string>();
  const reports: string[] = [];
  let stuck: string | undefined = 'b';
  const { deps, clock } = await machineOn(store, {
    blobs: {
      async delete(key: string) {
        if (key === stuck) throw new Error('The disk is read-only');
        gone.add(key);
      },
    },
    report: (message: string) => reports.push(message),
  });
  await insertAggregates(deps.media, [medium('a'), medium('b')]);
  await countMedia(deps, USER);

  const removed = await removeMedia(deps, [mediaKey('test', 'a'), mediaKey('test', 'b')]);
  expect(removed.map(({ media_id }) => media_id)).toEqual(['a']);
  expect(gone).toContain('a');
  expect(gone).toContain(derivedKey('a', '32x32-crop'));
  expect(gone).not.toContain('b');
  expect(reports).toHaveLength(1);
  expect(await exactUsage(deps, USER)).toMatchObject({ count: 1, length: 10 });
  expect(await deps.media.find({}).toArray()).toMatchObject([{ media_id: 'b', state: 'deleting' }]);

  stuck = undefined;
  clock.advance(LONG_MS);
  await sweepDeleting(deps);
  expect(await deps.media.find({}).toArray()).toEqual([]);
  expect(await exactUsage(deps, USER)).toMatchObject({ count: 0, length: 0, facet: 'none' });
  await store.close();
});

it('counts a medium in the request that deletes it, and not in the sweep', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const { deps } = await machineOn(store, {
    blobs: { delete: () => sweepDeleting(deps) },
  });
  await insertAggregates(deps.media, [medium('a'), { ...medium('b'), user_id: null }]);
  await countMedia(deps, USER);
  const removed = await removeMedia(deps, [mediaKey('test', 'a'), mediaKey('test', 'b')]);
  expect(removed.map(({ media_id }) => media_id).toSorted()).toEqual(['a', 'b']);
  await store.close();
});
