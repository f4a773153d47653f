import type { StoredDocument } from '@steward/store';
import { checkSchema, type StoredSchema, schemas } from './claim-schema.ts';
import { type ServerName, serverNames } from './claim-server-name.ts';

/** Whose data a copy of documents holds, and their format. */
export interface Identity {
  readonly server_name: string;
  /** See `SCHEMA`; 0 for data of a release that did not record it. */
  readonly schema: number;
}

/**
 * Reads the identity of a store from its documents.
 *
 * @param read the documents of a collection
 * @throws Error with a message of one line when it has none, or its format is later than that of this release
 */
export async function readIdentity(
  read: (collection: string) => AsyncIterable<StoredDocument>,
): Promise<Identity> {
  const only = async (collection: string) => {
    for await (const { document } of read(collection)) return document;
    return undefined;
  };
  const name = (await only(serverNames.name)) as ServerName | undefined;
  if (!name) throw new Error('The store is empty: no server has been started on it.');
  const schema = (await only(schemas.name)) as StoredSchema | undefined;
  if (schema) checkSchema('The store', schema);
  return { server_name: name.name, schema: schema?.schema ?? 0 };
}
