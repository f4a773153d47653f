import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { things } from '../contract/thing.ts';
import { openSqliteStore } from './open.ts';

const directory = mkdtempSync(join(tmpdir(), 'steward-crash-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The rounds after which the writer is killed, in the middle of the next one. */
const ROUNDS = [1, 7, 40];

it.each(ROUNDS)(
  'keeps all acknowledged writes, and none in part, when the process is killed after round %i',
  async (rounds) => {
    const path = join(directory, `${rounds}.db`);
    const writer = fork(new URL('../fixtures/write-until-killed.ts', import.meta.url), [path]);
    let acknowledged = 0;
    writer.on('message', (round: number) => {
      acknowledged = round;
      if (round === rounds) writer.kill('SIGKILL');
    });
    await once(writer, 'exit');
    expect(acknowledged).toBeGreaterThanOrEqual(rounds);

    const store = await openSqliteStore({ path });
    const collection = await store.collection(things);
    const counter = await collection.findOne({ _id: 'counter' });
    const count = counter?.count ?? 0;
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    expect(counter?.name).toBe(`round ${count}`);
    const written = await collection.countDocuments({ group: 'g' });
    expect(written).toBe(count * 5);
    expect(await collection.tally()).toEqual(
      new Map([
        ['counters', 1],
        ['g', written],
      ]),
    );
    expect(await collection.countDocuments({ tags: 'x' })).toBe(written);
    expect(await collection.countDocuments({ $contains: { paths: ['folded'], term: 'text' } })).toBe(written);
    await store.close();

    const file = new DatabaseSync(path);
    expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    file.close();
  },
);
