import { loadConfig } from '@steward/config';
import type { StreamCopy } from '@steward/events';
import { randomId, systemClock, systemRandom } from '@steward/kernel';
import { RESTORE_MARKER, refuseUnfinished } from '@steward/runtime';
import { loadDocuments, type MongoStore, openMongoStore, storedCollections } from '@steward/store';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseSource } from '../backup/database-source.ts';
import { openStored } from '../export/open-stored.ts';
import { fillDatabase } from './fill-database.ts';

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

describe.skipIf(mongo.url === undefined)(`filling a database: ${mongo.title}`, () => {
  let store: MongoStore;
  let env: NodeJS.ProcessEnv;
  /** Whether the streams of the broker have messages, and how often they were removed. */
  let streams: { empty: boolean; removed: number };
  beforeEach(async () => {
    const url = new URL(withLongTimeouts(mongo.url ?? ''));
    url.pathname = `/steward_test_${randomId(systemRandom)}`;
    store = await openMongoStore({ url: url.href });
    env = { STEWARD_STORE: url.href, ...(nats.url === undefined ? {} : { STEWARD_NATS_URL: nats.url }) };
    streams = { empty: true, removed: 0 };
  });
  afterEach(async () => {
    await store.database.dropDatabase();
    await store.close();
  });

  const fill = (work: () => Promise<unknown>, { watchMs = 0, isEmpty = async () => streams.empty } = {}) => {
    const broker = {
      isEmpty,
      remove: async () => void streams.removed++,
    } as unknown as StreamCopy;
    const target = { store, streams: broker, random: systemRandom, beatMs: 5, watchMs };
    return fillDatabase(target, async () => void (await work()));
  };
  async function* accounts(...ids: readonly string[]) {
    for (const _id of ids) yield { collection: 'user.accounts', document: { _id } };
  }

  it('filling a database is marked until it is complete, and an interrupted one begins anew', async () => {
    const interrupted = fill(async () => {
      await loadDocuments(store, accounts('@a:test', '@b:test'));
      throw new Error('crash');
    });
    await expect(interrupted).rejects.toThrow('crash');
    const { STEWARD_STORE = '' } = env;
    await expect(refuseUnfinished(store, STEWARD_STORE)).rejects.toThrow('has not been completed');
    const config = loadConfig({ env });
    await expect(openStored(config, systemRandom, '')).rejects.toThrow('has not been completed');
    if (nats.url !== undefined)
      await expect(databaseSource(config, systemClock, systemRandom)).rejects.toThrow('not been completed');

    // What the first one stored in the streams is removed, too.
    streams.empty = false;
    await fill(() => loadDocuments(store, accounts('@a:test')));
    expect(streams.removed).toBe(1);
    expect(await storedCollections(store.database)).toEqual(['user.accounts']);
    expect(await store.database.collection('user.accounts').countDocuments()).toBe(1);
  });

  it('filling a database is refused while another one is running', async () => {
    await fill(async () => {
      await loadDocuments(store, accounts('@a:test'));
      await expect(fill(expect.unreachable, { watchMs: 200 })).rejects.toThrow('is running');
    });
    expect(await storedCollections(store.database)).toEqual(['user.accounts']);
    expect(await store.database.collection('user.accounts').countDocuments()).toBe(1);
  });

  it('ends when another one has taken over, and leaves the marker to that one', async () => {
    const taken = fill(async () => {
      await store.database.collection(RESTORE_MARKER).updateOne({}, { $set: { owner: 'another' } });
      await new Promise(() => {});
    });
    await expect(taken).rejects.toThrow('is running');
    expect(await store.someId(RESTORE_MARKER)).toBeDefined();
  });

  it('filling a database is refused when a process has started before it saw the marker', async () => {
    const isEmpty = async () => {
      await loadDocuments(store, accounts('@a:test'));
      return true;
    };
    await expect(fill(expect.unreachable, { isEmpty })).rejects.toThrow('is not empty');
    expect(await storedCollections(store.database)).toEqual(['user.accounts']);
  });

  it('filling a database is refused where there are documents, or facts of another server', async () => {
    streams.empty = false;
    await expect(fill(expect.unreachable)).rejects.toThrow('The broker has facts');
    streams.empty = true;
    await loadDocuments(store, accounts('@a:test'));
    await expect(fill(expect.unreachable)).rejects.toThrow('is not empty');
    expect(await store.someId(RESTORE_MARKER)).toBeUndefined();
  });
});
