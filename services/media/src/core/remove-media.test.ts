import { insertAggregates } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { machineOn } from '../fixtures/machine-on.ts';
import { mediumOf } from '../fixtures/medium.ts';
import { derivedKey } from './blobs/blob-key.ts';
import type { Deps } from './deps.ts';
import { mediaKey } from './model/media.ts';
import { removeMedia, sweepDeleting } from './remove-media.ts';
import { countMedia, exactUsage } from './usage/count-media.ts';

const USER = '@a:test';

const medium = (mediaId: string) =>
  mediumOf(mediaId, { user_id: USER, length: 10, blob: mediaId, uncounted: true });

/** Longer than the sweep leaves a deletion to the request that began it, in milliseconds. */
const LONG_MS = 120_000;

it('keeps the record of a medium, without serving it, until its bytes can be removed', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const gone = new Set<string>();
  const reports: string[] = [];
  let stuck: string | undefined = 'b';
  const clock = createFakeClock();
  const deps = await machineOn(store, {
    clock,
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
  const deps: Deps = await machineOn(store, {
    blobs: { delete: () => sweepDeleting(deps) },
  });
  await insertAggregates(deps.media, [medium('a'), { ...medium('b'), user_id: null }]);
  await countMedia(deps, USER);
  const removed = await removeMedia(deps, [mediaKey('test', 'a'), mediaKey('test', 'b')]);
  expect(removed.map(({ media_id }) => media_id).toSorted()).toEqual(['a', 'b']);
  await store.close();
});
