import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '@steward/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FAKE_ENV, fakeServer } from '../testing/fake-server.ts';
import { type RunOptions, runForTest } from '../testing/run-for-test.ts';

const FIRST_HASH = '0'.repeat(64);

/** An export as docs/audit-log.md describes it. */
function exportOf(count: number): string {
  let hash = FIRST_HASH;
  const entries = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const entry = { id: `entry-${number}`, targets: ['\u2028 日本'] };
    hash = createHash('sha256')
      .update(canonicalJson({ number, previous: hash, entry }))
      .digest('hex');
    return { kind: 'entry', number, hash, entry };
  });
  const header = {
    kind: 'header',
    format: 'steward-audit-log',
    version: 1,
    server_name: 'test',
    ts: 1,
    after: 0,
  };
  const start = { after_hash: FIRST_HASH, after_checkpoint: 0, public_keys: [] };
  const lines = [{ ...header, ...start }, ...entries, { kind: 'end', number: count, hash, checkpoint: 0 }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctl-audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(args: string, body: unknown, options: RunOptions = {}) {
  const server = fakeServer(({ path }) => (path.includes('/audit_log/') ? { body } : undefined));
  const result = await runForTest(args.split(' '), { env: FAKE_ENV, fetch: server.fetch, ...options });
  return {
    ...result,
    paths: server.requests.map(({ path }) => path.replace('/_service/admin/v1/audit_log/', '')),
  };
}

it('verifies the export of the server, a file, and the standard input', async () => {
  const intact = { exitCode: 0, stdout: '[true,3,1,3]\n' };
  const jq = '--jq [.valid,.entries,.first_number,.last_number]';
  expect(await run(`audit verify ${jq}`, exportOf(3))).toMatchObject({ ...intact, paths: ['export'] });
  const file = join(folder, 'export');
  await writeFile(file, exportOf(3));
  expect(await run(`audit verify ${file} ${jq}`, '')).toMatchObject({ ...intact, paths: [] });
  expect(await run(`audit verify - ${jq}`, '', { input: exportOf(3) })).toMatchObject(intact);
  expect((await run('audit verify --from-number 4 --limit 2', exportOf(1))).paths).toEqual([
    'export?from_number=4&to_number=5',
  ]);
});

it('names the first broken entry, and ends with 1', async () => {
  const changed = exportOf(3).replace('entry-2', 'entry-X');
  expect(await run('audit verify -o yaml', changed)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('line: 3'),
    stderr: expect.stringContaining('broken at line 3 of the export (entry-X)'),
  });
  // An export that breaks off proves nothing about its end.
  const cut = exportOf(3).split('\n').slice(0, 3).join('\n');
  expect(await run('audit verify', cut)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('incomplete'),
  });
});

it('requires signatures with a key', async () => {
  const key = join(folder, 'key.pem');
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(key, publicKey.export({ type: 'spki', format: 'pem' }));
  expect(await run(`audit verify --key ${key}`, exportOf(3))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing is signed'),
  });
  expect(await run(`audit verify --key ${key} --signed-since 4`, exportOf(3))).toMatchObject({ exitCode: 0 });
});

it('lets the server verify part after part', async () => {
  const parts = [
    {
      valid: true,
      complete: false,
      entries: 5,
      first_number: 1,
      last_number: 5,
      checkpoints: 1,
      signed: 1,
      next_number: 6,
    },
    {
      valid: false,
      complete: true,
      entries: 2,
      first_number: 6,
      last_number: 7,
      checkpoints: 0,
      signed: 0,
      error: { message: 'Entry 8 is missing.' },
    },
  ];
  const paths: string[] = [];
  const server = fakeServer(({ path }) => ({ body: parts[paths.push(path) - 1] }));
  const result = await runForTest(
    'audit verify --on-server --jq [.entries,.first_number,.checkpoints]'.split(' '),
    {
      env: FAKE_ENV,
      fetch: server.fetch,
    },
  );
  expect(result).toMatchObject({
    exitCode: 1,
    stdout: '[7,1,1]\n',
    stderr: expect.stringContaining('Entry 8'),
  });
  expect(paths[1]).toContain('from_number=6');
});

it.each([
  'audit verify /lost',
  'audit verify --key /lost',
  'audit verify --limit 5',
  'audit verify --signed-since 5',
  'audit verify --from-number 0',
  'audit verify - --from-number 1',
  'audit verify - --on-server',
])('%s is refused with 2', async (args) => {
  expect(await run(args, exportOf(1))).toMatchObject({ exitCode: 2, paths: [] });
});
