import { randomId, systemRandom } from '@steward/kernel';
import { type Engine, requireEngine, withLongTimeouts } from '@steward/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll } from 'vitest';

/** The server of the tests, which are skipped without one. */
export const mongo = patientEngine();

/** A database for one test file, which is dropped after its tests. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** The database without the adapter. */
  readonly raw: Db;
}

function patientEngine(): Engine {
  const { url, title } = requireEngine('mongo');
  return { url: url === undefined ? undefined : withLongTimeouts(url), title };
}

/** Creates a database for a test file. To be called inside a suite that is skipped without a server. */
export function testDatabase(): TestDatabase {
  const { url = 'mongodb://127.0.0.1/' } = mongo;
  const name = `steward_test_${randomId(systemRandom)}`;
  const client = new MongoClient(url);
  const raw = client.db(name);
  afterAll(async () => {
    await raw.dropDatabase();
    await client.close();
  });
  return { url, name, raw };
}
