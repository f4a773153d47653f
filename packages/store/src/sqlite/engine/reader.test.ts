import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Unavailable } from '../../port/errors.ts';
import { Connection } from './connection.ts';
import { NO_DISK } from './log-disk.ts';
import { type Snapshot, ThreadReader } from './reader.ts';
import { sql } from './sql.ts';
import { advance, newClock } from './transaction-clock.ts';
import { WriteQueue } from './write-queue.ts';

const directory = mkdtempSync(join(tmpdir(), 'steward-reader-'));
const path = join(directory, 'reader.db');
const connection = new Connection(path, { readOnly: false });
connection.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)');
const clock = newClock();
afterAll(() => {
  connection.close();
  rmSync(directory, { recursive: true });
});

it('reads committed rows, and cannot write', async () => {
  const reader = new ThreadReader({ path, clock });
  expect(await reader.all(sql('SELECT v FROM t WHERE v > ?', 0))).toEqual([[1], [2]]);
  connection.exec('INSERT INTO t VALUES (3)');
  expect(await reader.all(sql('SELECT count(*) FROM t'))).toEqual([[3]]);
  await expect(reader.all(sql('DELETE FROM t'))).rejects.toThrow(/readonly/);
  await reader.close();
});

it('takes a snapshot between commits, and says which ones it contains', async () => {
  const reader = new ThreadReader({ path, clock });
  const count = sql('SELECT count(*) FROM t');
  const { rows, at } = await reader.snapshot([count, count]);
  expect(rows[0]).toEqual(rows[1]);
  advance(clock);
  const during = reader.snapshot([count]);
  connection.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (4); COMMIT');
  advance(clock);
  expect(await during).toEqual({ rows: [[[Number(rows[0]?.[0]?.[0]) + 1]]], at: at + 2 });
  await reader.close();
});

it('tells which commits a snapshot contains while others run', async () => {
  const reader = new ThreadReader({ path, clock });
  const count = sql('SELECT count(*) FROM t');
  const queue = new WriteQueue(connection, NO_DISK, {
    commits: () => advance(clock),
    ends: () => advance(clock),
  });
  const start = await reader.snapshot([count]);
  const read: Promise<number>[] = [];
  const others = ({ rows, at }: Snapshot) => Number(rows[0]?.[0]?.[0]) - (at - start.at) / 2;
  for (let i = 0; i < 300; i++) {
    await queue.run(() => connection.run(sql('INSERT INTO t VALUES (?)', i)));
    if (i % 10 === 0) read.push(reader.snapshot([count]).then(others));
  }
  // Each commit adds one row and two to the clock.
  expect(new Set(await Promise.all(read))).toEqual(new Set([others(start)]));
  await reader.close();
});

it('refuses statements beyond the limit, and runs the others', async () => {
  const reader = new ThreadReader({ path, clock });
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => reader.all(sql('SELECT 1'))));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(16);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: expect.any(Unavailable) });
  expect(await reader.all(sql('SELECT 1'))).toEqual([[1]]);
  await reader.close();
});

it('checkpoints the log on request', async () => {
  const reader = new ThreadReader({ path, clock });
  const insert = sql(
    'INSERT INTO t SELECT randomblob(100000) FROM json_each(?)',
    JSON.stringify(Array(50).fill(0)),
  );
  connection.run(insert);
  expect(connection.logIsLong()).toBe(true);
  reader.checkpoint();
  await reader.all(sql('SELECT 1'));
  expect(connection.logIsLong()).toBe(false);
  await reader.close();
});

it('interrupts the running statement when it closes', async () => {
  const reader = new ThreadReader({ path, clock });
  const running = reader.all(
    sql('WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c LIMIT 1'),
  );
  const lost = expect(running).rejects.toThrow(Unavailable);
  await reader.close();
  await lost;
  await expect(reader.all(sql('SELECT 1'))).rejects.toThrow(Unavailable);
});
