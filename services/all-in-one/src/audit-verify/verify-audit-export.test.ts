import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyIdOf } from '@steward/audit/chain';
import { canonicalJson } from '@steward/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyAuditExport } from './verify-audit-export.ts';

const FIRST_HASH = '0'.repeat(64);

const [own, foreign] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

/** An export as the documentation describes it, of entries with a checkpoint behind the last. */
function exportOf(count: number): readonly object[] {
  let hash = FIRST_HASH;
  const entries = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const entry = { id: `entry-${number}`, targets: ['\u{1F9F9}'] };
    hash = createHash('sha256')
      .update(canonicalJson({ number, previous: hash, entry }))
      .digest('hex');
    return { kind: 'entry', number, hash, entry };
  });
  const checkpoint = {
    number: count,
    hash,
    ts: 2,
    newest_ts: 1,
    previous: 0,
    key_id: keyIdOf(own.publicKey),
  };
  const signed = { purpose: 'steward-audit-checkpoint-1', server_name: 'test', ...checkpoint };
  const signature = sign(null, Buffer.from(canonicalJson(signed)), own.privateKey).toString('base64');
  return [
    {
      kind: 'header',
      format: 'steward-audit-log',
      version: 1,
      server_name: 'test',
      ts: 3,
      after: 0,
      after_hash: FIRST_HASH,
      after_checkpoint: 0,
      public_keys: [pemOf(own.publicKey)],
    },
    ...entries,
    { kind: 'checkpoint', ...checkpoint, signature },
    { kind: 'end', number: count, hash, checkpoint: count },
  ];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-verify-'));
});
afterAll(() => rm(folder, { recursive: true }));

const file = async (name: string, text: string) => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
const lines = (objects: readonly object[]) => objects.map((line) => `${JSON.stringify(line)}\n`).join('');

const run = async (...args: readonly string[]) => {
  const written = { out: '', err: '' };
  const status = await verifyAuditExport(args, {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
  });
  return { status, ...written };
};

it('accepts an intact export, and says whose signatures it has', async () => {
  const path = await file('intact', lines(exportOf(3)));
  const { status, out } = await run(path);
  expect({ status, out }).toMatchObject({
    status: 0,
    out: expect.stringContaining('3 intact entries, 1 to 3'),
  });
  expect(out).toContain('signed up to 3, with a key in the export itself');
  const trusted = await run(path, '--key', await file('own', pemOf(own.publicKey)));
  expect(trusted).toMatchObject({ status: 0, out: expect.stringContaining('with a given key') });
  expect(await run(path, '--key', await file('foreign', pemOf(foreign.publicKey)))).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^BROKEN at line 5: The checkpoint at 3 is signed with the key \w+, which/),
  });
});

it('names the first broken line', async () => {
  const [header, first, second, ...rest] = exportOf(3);
  const changed = { ...second, entry: { id: 'entry-2', targets: ['other'] } };
  const path = await file('changed', lines([header ?? {}, first ?? {}, changed, ...rest]));
  expect(await run(path)).toMatchObject({
    status: 1,
    out: expect.stringMatching(
      /^BROKEN at line 3 \(entry-2\): Entry 2 or the hash .*\n1 intact entries, 1 to 1,/,
    ),
  });
});

it.each([
  ['nothing', ''],
  ['half a line', '{"kind":"hea'],
  ['another format', '{"kind":"header","format":"other"}\n'],
  ['a later version', lines(exportOf(1)).replace('"version":1', '"version":2')],
  ['a line that is too long', `"${'x'.repeat(1024 * 1024)}"`],
  ['lines without an end', lines(exportOf(1).slice(0, -1))],
])('refuses %s', async (_, text) => {
  expect((await run(await file('refused', text))).status).not.toBe(0);
});

it.each([[], ['a', 'b'], ['--unknown'], ['/missing'], ['a', '--key', '/missing']])(
  'does not verify with the arguments %j',
  async (...args) => {
    expect(await run(...args)).toMatchObject({ status: 2, err: expect.stringMatching(/./) });
  },
);
