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

const sha256 = (value: object) => createHash('sha256').update(canonicalJson(value)).digest('hex');

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

it('shows nothing of an export that a terminal would obey', async () => {
  const [header, first, second, ...rest] = exportOf(3);
  const changed = { ...second, entry: { id: 'entry-2\u001b[2J\nall is well', targets: [] } };
  const path = await file('escapes', lines([header ?? {}, first ?? {}, changed, ...rest]));
  const { out } = await run(path);
  expect(out).toMatch(/^BROKEN at line 3 \(entry-2\\u\{1b\}\[2J\\u\{a\}all is well\): .*\n1 intact entries/);
  const { err } = await run(join(folder, 'none\u001b[2J'));
  expect(err).toMatch(/^audit-verify: .*none\\u\{1b\}\[2J.*\n$/);
});

const HOUR_MS = 60 * 60_000;

/** An export of entries, with a checkpoint behind each of some numbers, which is signed if its number is positive. */
function chainOf(times: readonly number[], checkpoints: readonly number[]): readonly object[] {
  let hash = FIRST_HASH;
  let previous = 0;
  const [header] = exportOf(1);
  const lines = times.flatMap((ts, index) => {
    const number = index + 1;
    const entry = { id: `entry-${number}`, ts };
    hash = sha256({ number, previous: hash, entry });
    const link = { kind: 'entry', number, hash, entry };
    const found = checkpoints.find((at) => Math.abs(at) === number);
    if (found === undefined) return [link];
    const content = {
      number,
      hash,
      ts,
      newest_ts: ts,
      previous,
      key_id: found > 0 ? keyIdOf(own.publicKey) : null,
    };
    previous = number;
    const signed = { purpose: 'steward-audit-checkpoint-1', server_name: 'test', ...content };
    const signature =
      found > 0 ? sign(null, Buffer.from(canonicalJson(signed)), own.privateKey).toString('base64') : null;
    return [link, { kind: 'checkpoint', ...content, signature }];
  });
  return [header ?? {}, ...lines, { kind: 'end', number: times.length, hash, checkpoint: previous }];
}

it.each([
  ['no checkpoint', [1, 2], [], [], /Nothing is signed/],
  ['no signature', [1, 2], [-2], [], /checkpoint at 2 has no signature/],
  ['a signature in vain behind one that is missing', [1, 2], [-1, 2], [], /checkpoint at 1 has no signature/],
  ['one that is missing behind a signature', [1, 2], [1, -2], [], /checkpoint at 2 has no signature/],
  [
    'entries of two days behind the last signature',
    [1, 48 * HOUR_MS],
    [1],
    [],
    /Entries after 1 are not signed/,
  ],
  ['entries of a day behind the last signature', [1, 24 * HOUR_MS], [1], [], undefined],
  ['the same with a longer time', [1, 48 * HOUR_MS], [1], ['--max-unsigned-hours', '48'], undefined],
  ['no signature before the server had a key', [1, 2, 3], [-1, 3], ['--signed-since', '2'], undefined],
  [
    'no signature after the server had a key',
    [1, 2, 3],
    [-1, -2],
    ['--signed-since', '2'],
    /at 2 has no signature/,
  ],
  ['no checkpoint after the server had a key', [1, 2, 3], [-1], ['--signed-since', '2'], /Nothing is signed/],
])('with a key, an export is judged by its signatures: %s', async (_, times, checkpoints, options, fault) => {
  const path = await file('signatures', lines(chainOf(times, checkpoints)));
  expect((await run(path)).status).toBe(checkpoints.join() === '1,-2' ? 1 : 0);
  const { status, out } = await run(path, '--key', await file('own', pemOf(own.publicKey)), ...options);
  expect({ status, out }).toMatchObject({
    status: fault ? 1 : 0,
    out: expect.stringMatching(fault ?? /^2|3 intact/),
  });
});

it.each([
  ['a duplicate key', (line: string) => line.replace('"kind"', '"kind":"entry","kind"')],
  ['a duplicate key inside', (line: string) => line.replace('"id"', '"id":"other","id"')],
  ['an unknown key', (line: string) => line.replace('"entry":{', '"note":"forged","entry":{')],
  ['another spelling', (line: string) => line.replace('"number":2', '"number":2.0')],
  ['blanks', (line: string) => line.replace('{', '{ ')],
])('refuses a line with %s', async (_, change) => {
  const changed = exportOf(3).map((line, index) =>
    index === 2 ? change(JSON.stringify(line)) : JSON.stringify(line),
  );
  const path = await file('line', changed.map((line) => `${line}\n`).join(''));
  expect(await run(path)).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^BROKEN at line 3: The line/),
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

it.each([
  ...[[], ['a', 'b'], ['--unknown'], ['/missing'], ['a', '--key', '/missing']],
  ...[
    ['a', '--signed-since', '1'],
    ['a', '--key', '/missing', '--max-unsigned-hours', 'x'],
  ],
])('does not verify with the arguments %j', async (...args) => {
  expect(await run(...args)).toMatchObject({ status: 2, err: expect.stringMatching(/./) });
});
