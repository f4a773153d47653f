import type { Store } from '@steward/store';
import { stores } from '@steward/store/testing';
import { describe, expect, it } from 'vitest';
import { claimSchema } from './claim-schema.ts';

const earlier = { schema: 4, release: '1.0.0' };
const later = { schema: 5, release: '1.1.0' };

describe.each(stores)('the schema version $title', ({ missing, open }) => {
  const onStore = (body: (store: Store) => Promise<void>) => async () => {
    const { store, drop } = await open();
    await body(store).finally(drop);
  };

  it.skipIf(missing)(
    'is raised by a later release, after which an earlier one is refused with both versions',
    onStore(async (store) => {
      await claimSchema(store, earlier);
      await claimSchema(store, earlier);
      await claimSchema(store, later);
      await expect(claimSchema(store, earlier)).rejects.toThrow(
        /^The store was written by steward 1\.1\.0 \(schema 5\).*this steward 1\.0\.0 \(schema 4\).*$/,
      );
      await claimSchema(store, later);
    }),
  );

  it.skipIf(missing)(
    'is the latest of several releases that start together',
    onStore(async (store) => {
      await Promise.allSettled([earlier, later, earlier].map((release) => claimSchema(store, release)));
      await expect(claimSchema(store, earlier)).rejects.toThrow('schema 5');
    }),
  );

  it.skipIf(missing)(
    'names the last release of several with the same schema',
    onStore(async (store) => {
      await claimSchema(store, { ...later, release: '1.1.1' });
      await claimSchema(store, later);
      await expect(claimSchema(store, earlier)).rejects.toThrow('1.1.0');
    }),
  );
});
