import type { Random } from '@steward/kernel';
import type { Collection } from './port/collection.ts';
import { type CollectionDeclaration, declareCollection } from './port/declaration.ts';
import { Conflict } from './port/errors.ts';

/** A secret key that the instances of a service share. */
export interface ServerKey {
  /** The purpose of the key. */
  readonly _id: string;
  /** 32 bytes in base64. */
  readonly key: string;
}

/** The collection of a service's shared keys. */
export const declareServerKeys = (service: string): CollectionDeclaration<ServerKey> =>
  declareCollection<ServerKey>({ name: `${service}.server_keys`, shardKey: null, indexes: [] });

const KEY_BYTES = 32;

/** Returns the key of a purpose; the first instance that needs it creates it. */
export async function sharedKey(
  keys: Collection<ServerKey>,
  purpose: string,
  random: Random,
): Promise<Buffer> {
  const existing = await keys.findOne({ _id: purpose });
  if (existing) return Buffer.from(existing.key, 'base64');
  const key = random.bytes(KEY_BYTES);
  try {
    await keys.insertOne({ _id: purpose, key: key.toString('base64') });
    return key;
  } catch (error) {
    if (error instanceof Conflict) return sharedKey(keys, purpose, random);
    throw error;
  }
}
