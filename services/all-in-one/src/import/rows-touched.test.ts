import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { loadConfig } from '@steward/config';
import { openEmbeddedStore } from '@steward/runtime';
import { expect, it, vi } from 'vitest';
import { importRecords } from './import-records.ts';
import { KINDS } from './kinds.ts';
import { openOn } from './open-services.ts';

/** The most rows that the statements for one record may touch: twice as many as most kinds take. */
const MAX_ROWS_PER_RECORD = 10;

/** Longer than the services wait between two runs of their background work, in milliseconds. */
const INTERVALS_MS = 20 * 60_000;

const USERS = 300;
const EVENTS_BEFORE_MESSAGES = 4;

const userId = (n: number) => `@user${n}:localhost`;
const roomId = (n: number) => `!room${n}:localhost`;

/** The records of a data set of some users, each with an avatar that is a medium, two devices, a room and a report. */
const recordsOf = (users: number): Readonly<Record<string, readonly object[]>> => {
  const numbers = Array.from({ length: users }, (_, n) => n);
  const event = (n: number, depth: number, fields: object) => ({
    event_id: `$event${n}-${depth}`,
    room_id: roomId(n),
    sender: userId(n),
    origin_server_ts: 1_700_000_000_000 + depth,
    depth,
    prev_events: depth === 1 ? [] : [`$event${n}-${depth - 1}`],
    auth_events: [],
    hashes: { sha256: 'hash' },
    ...fields,
  });
  const state = (n: number, depth: number, type: string, content: object, state_key = '') =>
    event(n, depth, { type, state_key, content });
  return {
    users: numbers.map((n) => ({
      user_id: userId(n),
      displayname: `User ${n}`,
      avatar_url: `mxc://localhost/medium${n}`,
      created_ts: 1_700_000_000_000 + n,
      threepids: [{ medium: 'email', address: `user${n}@example.org`, added_at: 1, validated_at: 1 }],
      external_ids: [{ auth_provider: 'oidc', external_id: `subject${n}` }],
    })),
    devices: numbers.flatMap((n) =>
      [0, 1].map((d) => ({
        user_id: userId(n),
        device_id: `DEVICE${d}`,
        last_seen_ts: 1_700_000_000_000 + n,
      })),
    ),
    rooms: numbers.map((n) => ({
      room_id: roomId(n),
      creator: userId(n),
      room_version: '10',
      created_ts: 1,
      public: true,
      canonical_alias: `#room${n}:localhost`,
    })),
    events: numbers.flatMap((n) => [
      state(n, 1, 'm.room.create', { creator: userId(n), room_version: '10' }),
      state(n, 2, 'm.room.member', { membership: 'join' }, userId(n)),
      state(n, 3, 'm.room.power_levels', { users: { [userId(n)]: 100 } }),
      state(n, 4, 'm.room.join_rules', { join_rule: 'public' }),
      event(n, 5, { type: 'm.room.message', content: { url: `mxc://localhost/medium${n}`, body: 'a' } }),
    ]),
    media: numbers.map((n) => ({
      media_id: `medium${n}`,
      user_id: userId(n),
      media_type: 'image/png',
      media_length: 7,
      created_ts: 1,
    })),
    reports: numbers.map((n) => ({
      id: n + 1,
      event_id: `$event${n}-${EVENTS_BEFORE_MESSAGES + 1}`,
      room_id: roomId(n),
      user_id: userId(n),
      received_ts: 1,
      reason: 'spam',
      score: -50,
    })),
  };
};

/** Counts the rows that the statements of all connections read or change: of a table that is scanned, all. */
function countRows(): { rows(): number } {
  let rows = 0;
  const plans = new WeakMap<StatementSync, { database: DatabaseSync; tables: readonly string[] }>();
  const { prepare } = DatabaseSync.prototype;
  const { all: list, get: read } = StatementSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    text,
    ...rest
  ) {
    const statement = prepare.call(this, text, ...rest);
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(text)) return statement;
    const plan = list.apply(prepare.call(this, `EXPLAIN QUERY PLAN ${text}`)) as { detail: string }[];
    const tables = plan.flatMap(
      ({ detail }) => /^SCAN (?!json_each|\(|CONSTANT)(\S+)/.exec(detail)?.[1] ?? [],
    );
    plans.set(statement, { database: this, tables });
    return statement;
  });
  const sizeOf = (database: DatabaseSync, table: string) => {
    const one = (text: string, ...params: string[]) =>
      read.apply(prepare.call(database, text), params as never);
    if (!one('SELECT name FROM sqlite_schema WHERE name = ?', table)) return 0;
    return Number(one(`SELECT count(*) AS n FROM "${table}"`)?.n);
  };
  for (const method of ['all', 'get', 'run'] as const) {
    const original = StatementSync.prototype[method] as (...args: unknown[]) => unknown;
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (
      this: StatementSync,
      ...args: unknown[]
    ) {
      const result = original.apply(this, args);
      rows += method === 'all' ? (result as unknown[]).length : 1;
      const plan = plans.get(this);
      for (const table of plan?.tables ?? []) rows += plan ? sizeOf(plan.database, table) : 0;
      return result;
    } as never);
  }
  return { rows: () => rows };
}

/** Checks that a scan counts with all rows of its table. */
function checkCounter(rows: () => number): void {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE "some.table" AS SELECT value AS n FROM json_each(\'[1,2,3,4,5,6,7,8]\')');
  const before = rows();
  database.prepare('SELECT n FROM "some.table" WHERE n = ?').all(3);
  expect(rows() - before).toBe(9);
  database.close();
}

it('touches as many rows for a record, however many there are', async () => {
  const data = await mkdtemp(join(tmpdir(), 'steward-import-'));
  const config = loadConfig({ env: { STEWARD_DATA: data } });
  // Services repeat their background work by intervals.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const counted = countRows();
  try {
    checkCounter(counted.rows);
    const store = await openEmbeddedStore(config, { inMemory: true, loading: true });
    const services = await openOn(store, config);
    const perRecord: [kind: string, rows: number][] = [];
    for (const [kind, records] of Object.entries(recordsOf(USERS))) {
      const kindOf = KINDS.get(kind);
      if (!kindOf) throw new Error(kind);
      const before = counted.rows();
      const input = Readable.from([records.map((record) => `${JSON.stringify(record)}\n`).join('')]);
      const progress = await importRecords(input, kindOf(services, data), {
        strict: true,
        batchesInFlight: 1,
        onProblem: (line, problem) => expect.unreachable(`${kind}:${line}: ${problem}`),
        onProgress: () => {},
      });
      expect(progress.loaded).toBe(records.length);
      perRecord.push([kind, (counted.rows() - before) / records.length]);
    }
    const before = counted.rows();
    await vi.advanceTimersByTimeAsync(INTERVALS_MS);
    await services.close();
    perRecord.push(['the end', (counted.rows() - before) / USERS]);
    await store.close();
    for (const [kind, rows] of perRecord) expect(rows, kind).toBeLessThan(MAX_ROWS_PER_RECORD);
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await rm(data, { recursive: true });
  }
});
