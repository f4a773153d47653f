import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ALICE, onMove } from './fixtures/move.ts';

/** What is carried does not fit into the small disk, and fits into the large one. */
const SMALL = '16m';
const LARGE = '512m';
const OBJECTS = 2_000;
const OBJECT_LENGTH = 10_000;

function mountDisk(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL}`, 'steward-test', folder], { stdio: 'ignore' });
}

/** Whether this process may mount a disk of its own. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'steward-mount-'));
  try {
    mountDisk(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

it.runIf(canMount())(
  'a copy that fills the disk says so and fails, and the same command goes on to the end once there is room',
  onMove(async ({ copy, data, database, exported }) => {
    const old = new DatabaseSync(database);
    old.exec('BEGIN');
    const insert = old.prepare(
      'INSERT INTO account_data (user_id, account_data_type, stream_id, content) VALUES (?, ?, ?, ?)',
    );
    const content = JSON.stringify({ text: 'x'.repeat(OBJECT_LENGTH) });
    for (let n = 0; n < OBJECTS; n++) insert.run(ALICE, `org.example.${n}`, 100 + n, content);
    old.exec('COMMIT');
    old.close();
    mkdirSync(data, { recursive: true });
    mountDisk(data);
    try {
      const full = await copy();
      expect(full.code, full.stdout).toBe(1);
      const [error = ''] = full.stderr.match(/^.*The copy is not complete.*$/m) ?? [];
      expect(error, full.stderr).toMatch(/^migrate: \w+ of \w+: .*full/);
      execFileSync('mount', ['-o', `remount,size=${LARGE}`, data]);
      const later = await copy();
      expect(later.code, later.stderr).toBe(3);
      const whole = `${data}-whole`;
      await copy(whole);
      expect(await exported(data)).toEqual(await exported(whole));
    } finally {
      execFileSync('umount', [data]);
    }
  }),
);
