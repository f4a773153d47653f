import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { startFaultyProxy } from '@steward/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Doc, declareCollection } from '../port/declaration.ts';
import { Unavailable } from '../port/errors.ts';
import { openMongoStore } from './open.ts';
import { mongo, testDatabase } from './test-database.ts';

const MONGODB_PORT = 27_017;

/** How long to wait for an unreachable server, in milliseconds; longer than it takes to select a busy one. */
const AWAY_LIMIT_MS = 3_000;

const notes = declareCollection<Doc & { readonly text: string }>({
  name: 'test.notes',
  shardKey: '_id',
  indexes: [],
});

describe.skipIf(mongo.url === undefined)(mongo.title, () => {
  const { url, name: database } = testDatabase();

  /** A store behind a network line of its own; the URL keeps its credentials and options. */
  async function openBehindProxy() {
    const proxy = await startFaultyProxy(url, MONGODB_PORT);
    const behind = new URL(proxy.url);
    behind.pathname ||= '/';
    behind.searchParams.set('directConnection', 'true');
    behind.searchParams.set('serverSelectionTimeoutMS', String(AWAY_LIMIT_MS));
    behind.searchParams.set('connectTimeoutMS', String(AWAY_LIMIT_MS));
    const store = await openMongoStore({ url: behind.href, database });
    onTestFinished(async () => {
      await store.close();
      await proxy.cut();
    });
    return { proxy, store };
  }

  it('the store is unavailable while the server is unreachable, and recovers when it is back', async () => {
    const { proxy, store } = await openBehindProxy();
    const collection = await store.collection(notes);
    await collection.insertOne({ _id: 'before', text: 'x' });
    await expect.poll(() => store.healthy()).toBe(true);

    await proxy.cut();
    const calls = [
      collection.findOne({ _id: 'before' }),
      collection.insertOne({ _id: 'lost', text: 'x' }),
      collection.find({}).toArray(),
      store.collection(notes),
    ];
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow(Unavailable)));
    expect(await store.healthy()).toBe(false);

    await proxy.repair();
    await vi.waitFor(async () => expect(await store.healthy()).toBe(true), { timeout: 60_000 });
    await collection.insertOne({ _id: 'after', text: 'x' });
    const ids = (await collection.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    expect(ids).toEqual(['after', 'before']);
  });

  /** The connections that are opened from now on until the end of the test. */
  function watchSockets(): readonly Socket[] {
    const sockets: Socket[] = [];
    const onSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
    subscribe('net.client.socket', onSocket);
    onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
    return sockets;
  }

  it('ends every operation whose connection breaks just before it', async () => {
    const sockets = watchSockets();
    const { store } = await openBehindProxy();
    const collection = await store.collection(notes);
    await collection.insertOne({ _id: 'broken', text: 'x' });
    // The sockets have not emitted `close` yet, so that the driver still uses these connections.
    for (const socket of sockets) socket.destroy();
    await Promise.allSettled([
      collection.findOne({ _id: 'broken' }),
      collection.deleteOne({ _id: 'broken' }),
    ]);
    await vi.waitFor(async () => expect(await store.healthy()).toBe(true), { timeout: 60_000 });
  });

  it('ends every operation whose connection is closed while it is sent', async () => {
    const sockets = watchSockets();
    const { store } = await openBehindProxy();
    const collection = await store.collection(notes);
    const inserting = collection.insertOne({ _id: 'long', text: 'x'.repeat(15_000_000) }).then(
      () => 'stored',
      (error) => error,
    );
    const isFull = ({ writableNeedDrain }: Socket) => writableNeedDrain;
    while (!sockets.some(isFull)) await new Promise((resolve) => setImmediate(resolve));
    for (const socket of sockets.filter(isFull)) socket.destroy();
    // The driver stores the document when it retries.
    expect(['stored', expect.any(Unavailable)]).toContainEqual(await inserting);
    await vi.waitFor(async () => expect(await store.healthy()).toBe(true), { timeout: 60_000 });
  });

  it('keeps every write that it acknowledged before the line was cut', async () => {
    const { proxy, store } = await openBehindProxy();
    const collection = await store.collection(notes);
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    const writes = Array.from({ length: 200 }, async (_, i) => {
      try {
        await collection.insertOne({ _id: `write-${i}`, text: 'x' });
        if (acknowledged.push(`write-${i}`) === 20) void proxy.cut();
      } catch (error) {
        failures.push(error);
      }
    });
    await Promise.all(writes);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toBeInstanceOf(Unavailable);

    await proxy.repair();
    await vi.waitFor(async () => expect(await store.healthy()).toBe(true), { timeout: 60_000 });
    expect(await collection.countDocuments({ _id: { $in: acknowledged } })).toBe(acknowledged.length);
  });
});
