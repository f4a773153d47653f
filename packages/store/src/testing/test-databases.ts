import { randomId, systemRandom } from '@steward/kernel';
import { requireEngine } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Begins the names of the databases of this run of the tests. */
    readonly databases: string;
  }
}

/** A name for a new database, which is dropped after the run of the tests. */
export function newDatabaseName(): string {
  return `${inject('databases')}${randomId(systemRandom)}`;
}

/** Begins the names of the databases of the run of the tests of which this is the first process. */
const prefix = `steward_test_${process.pid}_`;

/**
 * Names the databases of a run of the tests.
 *
 * @public Vitest calls it before the run.
 */
export function setup(project: TestProject): void {
  project.provide('databases', prefix);
}

/**
 * Drops the databases that tests have shared.
 *
 * @public Vitest calls it after the run.
 */
export async function teardown(): Promise<void> {
  const { url } = requireEngine('mongo');
  if (url === undefined) return;
  const client = await MongoClient.connect(url);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  await client.close();
}
