import { expect, it } from 'vitest';
import { NOT_FLUSHED } from '../../port/collection.ts';
import { Unavailable } from '../../port/errors.ts';
import { Connection } from './connection.ts';
import { type Disk, NO_DISK } from './log-disk.ts';
import { sql } from './sql.ts';
import { WriteQueue } from './write-queue.ts';

const add = (connection: Connection, v: number) => connection.run(sql('INSERT INTO t VALUES (?)', v));
const values = (connection: Connection) => connection.all(sql('SELECT v FROM t ORDER BY v')).flat();

function setUp(disk: Disk = NO_DISK) {
  const connection = new Connection(':memory:', { readOnly: false });
  connection.exec('CREATE TABLE t (v UNIQUE)');
  let commits = 0;
  const queue = new WriteQueue(connection, disk, {
    commits: () => {},
    ends: ({ committed }) => {
      if (committed) commits++;
    },
  });
  return { connection, queue, commits: () => commits };
}

it('runs the writes of one tick in order, in one transaction', async () => {
  const { connection, queue, commits } = setUp();
  const outcomes = await Promise.all([1, 2, 3].map((v) => queue.run(() => [v, add(connection, v)])));
  expect(outcomes).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(commits()).toBe(1);
  await queue.run(() => add(connection, 4));
  expect(commits()).toBe(2);
});

it('fails one write without the others', async () => {
  const { connection, queue, commits } = setUp();
  const outcomes = await Promise.allSettled([1, 1, 2].map((v) => queue.run(() => add(connection, v))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(values(connection)).toEqual([1, 2]);
  expect(commits()).toBe(1);
});

it('resolves only after the commit', async () => {
  const { connection, queue } = setUp();
  const seen: boolean[] = [];
  await Promise.all([
    queue.run(() => add(connection, 1)).then(() => seen.push(connection.inTransaction)),
    queue.run(() => seen.push(connection.inTransaction)),
  ]);
  expect(seen).toEqual([true, false]);
});

it('fails all writes of a transaction that ends early or cannot be committed', async () => {
  const { connection, queue } = setUp();
  const outcomes = await Promise.allSettled([
    queue.run(() => add(connection, 1)),
    queue.run(() => {
      connection.exec('ROLLBACK');
      throw new Error('disk full');
    }),
    queue.run(() => add(connection, 2)),
  ]);
  for (const outcome of outcomes) {
    expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(Unavailable);
  }
  connection.exec(
    'PRAGMA foreign_keys = ON; CREATE TABLE child (v REFERENCES t (v) DEFERRABLE INITIALLY DEFERRED)',
  );
  await expect(queue.run(() => connection.run(sql('INSERT INTO child VALUES (9)')))).rejects.toThrow(
    Unavailable,
  );
  expect(values(connection)).toEqual([]);
  await queue.run(() => add(connection, 3));
  expect(values(connection)).toEqual([3]);
});

it('completes waiting writes when it closes, and refuses later ones', async () => {
  const { connection, queue } = setUp();
  const waiting = [1, 2].map((v) => queue.run(() => add(connection, v)));
  const closed = queue.close();
  await Promise.all([...waiting, closed]);
  expect(values(connection)).toEqual([1, 2]);
  await expect(queue.run(() => add(connection, 3))).rejects.toThrow(Unavailable);
});

/** A disk whose syncs the test completes. */
function slowDisk() {
  const syncs: PromiseWithResolvers<void>[] = [];
  const disk: Disk = {
    sync: () => {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
    close: async () => {},
  };
  return { disk, syncs };
}

it('reports durable writes when the disk has them, and the others at once', async () => {
  const { disk, syncs } = slowDisk();
  const { connection, queue, commits } = setUp(disk);
  const answered: string[] = [];
  const first = queue.run(() => add(connection, 1)).then(() => answered.push('first'));
  await queue.run(() => add(connection, 2), NOT_FLUSHED);
  const later = [3, 4].map((v) => queue.run(() => add(connection, v)).then(() => answered.push('later')));
  await queue.run(() => add(connection, 5), NOT_FLUSHED);
  expect(answered).toEqual([]);
  expect(values(connection)).toEqual([1, 2, 3, 4, 5]);
  expect(syncs).toHaveLength(1);

  syncs[0]?.resolve();
  await first;
  expect(answered).toEqual(['first']);
  expect(syncs).toHaveLength(2);
  syncs[1]?.resolve();
  await Promise.all(later);
  expect(answered).toEqual(['first', 'later', 'later']);
  expect(commits()).toBe(2);
});

it('refuses writes after the disk has failed', async () => {
  const { disk, syncs } = slowDisk();
  const { connection, queue } = setUp(disk);
  const write = queue.run(() => add(connection, 1));
  await queue.run(() => add(connection, 2), NOT_FLUSHED);
  syncs[0]?.reject(new Error('EIO'));
  await expect(write).rejects.toThrow(Unavailable);
  expect(queue.failed).toBe(true);
  await expect(queue.run(() => add(connection, 3), NOT_FLUSHED)).rejects.toThrow(Unavailable);
  await queue.close();
});

it('fails waiting writes when the disk fails', async () => {
  const { disk, syncs } = slowDisk();
  const { connection, queue } = setUp(disk);
  const write = queue.run(() => add(connection, 1));
  await queue.run(() => add(connection, 2), NOT_FLUSHED);
  const waiting = [true, false].map((durable) => queue.run(() => add(connection, 3), { durable }));
  syncs[0]?.reject(new Error('EIO'));
  const outcomes = await Promise.allSettled([write, ...waiting]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(values(connection)).toEqual([1, 2]);
  expect(syncs).toHaveLength(1);
  await queue.close();
});
