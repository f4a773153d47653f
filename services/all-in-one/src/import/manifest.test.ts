import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkedFiles } from './manifest.ts';

const LINE = '{"user_id":"@alice:test"}\n';
const FILE = {
  name: 'users.ndjson',
  kind: 'users' as string | null,
  records: 1,
  length: LINE.length,
  sha256: createHash('sha256').update(LINE).digest('hex'),
};
const MANIFEST = { format: 1, server_name: 'test', user: null, exported_ts: 1, files: [FILE] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-manifest-'));
  await writeFile(join(folder, 'users.ndjson'), LINE);
});
afterEach(() => rm(folder, { recursive: true }));

const check = async (manifest: object) => {
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return checkedFiles(folder, 'test', new Set(['users']));
};

it('names the files of an export that are loaded', async () => {
  const other = { ...FILE, kind: null };
  expect(await check({ ...MANIFEST, files: [other, FILE] })).toEqual([join(folder, 'users.ndjson')]);
});

it.each<[what: string, manifest: object, problem: RegExp]>([
  ['another server', { ...MANIFEST, server_name: 'elsewhere' }, /of the server elsewhere/],
  ['another format', { ...MANIFEST, format: 2 }, /has the format 2, and this release reads 1/],
  ['a kind that does not exist', { ...MANIFEST, files: [{ ...FILE, kind: 'rumours' }] }, /kind rumours/],
  ['a file that was changed', { ...MANIFEST, files: [{ ...FILE, sha256: 'ab'.repeat(32) }] }, /SHA-256/],
  ['a file that was cut', { ...MANIFEST, files: [{ ...FILE, length: 9 }] }, /is not the file of the export/],
  ['a file that is missing', { ...MANIFEST, files: [{ ...FILE, name: 'rooms.ndjson' }] }, /cannot be read/],
  ['a file elsewhere', { ...MANIFEST, files: [{ ...FILE, name: '../users.ndjson' }] }, /is damaged/],
  ['an unknown field', { ...MANIFEST, tables: [] }, /is damaged: .*tables/],
])('refuses an export with %s', async (_, manifest, problem) => {
  await expect(check(manifest)).rejects.toThrow(problem);
});

it('refuses an export that was not completed', async () => {
  await expect(checkedFiles(folder, 'test', new Set())).rejects.toThrow('not a complete export');
});
