import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { DeleteMediaBeforeRequestSchema } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { insertAggregates } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore } from '@steward/store/testing';
import { expect, it } from 'vitest';
import { BATCH_SIZE } from '../../core/remove-media.ts';
import { countMedia, exactUsage } from '../../core/usage/count-media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { deleteMediaBefore } from './delete-media-before.ts';

const USER = '@a:test';

/** More than one batch, so that a crash can leave a deletion half done. */
const MEDIA = BATCH_SIZE + 6;

/** The call of a server administrator. */
const context = { values: { get: () => ({ admin: true }) } } as unknown as HandlerContext;

/** More calls of the store than a deletion of this many media makes. */
const MOST_CALLS = 24;

const medium = (n: number) =>
  mediumOf(`m${n}`, {
    user_id: USER,
    created_ts: n,
    length: 10,
    last_access_ts: n % 2 === 0 ? null : n,
    blob: `m${n}`,
    uncounted: true,
  });

const deletingMachineOn = (store: Store, bytes: Set<string>) =>
  machineOn(store, {
    rooms: { avatarsInUse: async () => [] },
    accessTimes: { flush: async () => {} },
    blobs: { delete: async (key: string) => void bytes.delete(key) },
  });

it('completes a deletion when it is repeated, whichever call of the store a crash interrupted', async () => {
  const request = create(DeleteMediaBeforeRequestSchema, { beforeTs: 1_000n });
  let crashes = 0;
  for (let call = 1; call <= MOST_CALLS; call++) {
    for (const how of ['before', 'after'] satisfies CrashPoint[]) {
      const store = await openSqliteStore({ path: ':memory:' });
      const all = Array.from({ length: MEDIA }, (_, n) => medium(n));
      const bytes = new Set(all.map(({ media_id }) => media_id));
      const second = await deletingMachineOn(store, bytes);
      await insertAggregates(second.media, all);
      await countMedia(second, USER);
      const crashable = crashableStore(store);
      const first = await deletingMachineOn(crashable.store, bytes);
      crashable.crashAt(call, how);
      await deleteMediaBefore(first, request, context).catch(() => {});
      if (crashable.hasCrashed) crashes++;
      await deleteMediaBefore(second, request, context);
      expect(await second.media.find({}).toArray(), `crashed ${how} call ${call}`).toEqual([]);
      expect([...bytes]).toEqual([]);
      expect(await exactUsage(second, USER)).toMatchObject({ count: 0, length: 0, facet: 'none' });
      await store.close();
    }
  }
  expect(crashes).toBeGreaterThan(MOST_CALLS / 2);
});
