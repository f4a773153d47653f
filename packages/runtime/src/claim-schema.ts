import { Conflict, declareCollection, type Store } from '@steward/store';
import { RELEASE } from './release.ts';

/**
 * The number of the format of the stored data. A release raises it when an earlier one could no longer read, or would
 * damage, what it writes. The steps between formats are migrations of the services, see `migrate`.
 */
export const SCHEMA = 2;

/** A release, and the format of the data that it writes. */
export interface SchemaVersion {
  readonly schema: number;
  readonly release: string;
}

/** The release that a store belongs to; the only document of its collection. */
export interface StoredSchema extends SchemaVersion {
  readonly _id: 'schema';
}

/** The format of a store. */
export const schemas = declareCollection<StoredSchema>({
  name: 'server.schema',
  shardKey: null,
  indexes: [],
});

const OWN: SchemaVersion = { schema: SCHEMA, release: RELEASE };

/**
 * Records in a store that this release writes to it from now on. This comes before the migrations, so that an earlier
 * release does not start on data that are migrated in part.
 *
 * @throws Error with a message of one line when a release with a later format has written to the store
 */
export async function claimSchema(store: Store, own: SchemaVersion = OWN): Promise<void> {
  const stored = await store.collection(schemas);
  const { schema, release } = own;
  const recorded = await stored.findOne({ _id: 'schema' });
  if (recorded) checkSchema('The store', recorded, own);
  if (recorded?.schema === schema && recorded.release === release) return;
  try {
    // Another process can have recorded a later one since.
    const filter = { _id: 'schema', schema: { $lte: schema } } as const;
    await stored.updateOne(filter, { $set: { schema, release } }, { upsert: true });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return claimSchema(store, own);
  }
}

/**
 * Checks that this release can read what another one has written.
 *
 * @param what names it, at the beginning of a sentence
 * @throws Error with a message of one line, with both versions
 */
export function checkSchema(what: string, written: SchemaVersion, own: SchemaVersion = OWN): void {
  if (written.schema <= own.schema) return;
  throw new Error(
    `${what} was written by steward ${written.release} (schema ${written.schema}), which is later than this steward ${own.release} (schema ${own.schema}). Use the later release, or a backup of this one.`,
  );
}
