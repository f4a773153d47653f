import { expect, it } from 'vitest';
import { type HashFileFormat, MAX_LINES, readHashFile } from './read-hash-file.ts';

const DEFAULTS = { action: 'quarantine', open_report: false, source: 'list', note: null } as const;

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

/** Reads a text that arrives in pieces of a few bytes, which end anywhere in a line or a character. */
function read(format: HashFileFormat, text: string, pieceBytes = 7) {
  const bytes = new TextEncoder().encode(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return readHashFile(pieces(), format, DEFAULTS);
}

it('reads what sha256sum writes, each hash once', async () => {
  const text = `\uFEFF# known\r\n\n${A.toUpperCase()}  Ünïcode name.png\r\n\\${B}  a\\\\b\n  ${A}\nnothing\n${'x'.repeat(5_000)}\n${B}`;
  expect(await read('text', text)).toEqual({
    hashes: [
      { sha256: A, ...DEFAULTS },
      { sha256: B, ...DEFAULTS },
    ],
    failed: 2,
    problems: [
      { line: 6, problem: 'sha256 is not a hash of 64 hexadecimal digits' },
      { line: 7, problem: 'the line is too long' },
    ],
  });
});

it('reads columns of CSV in any order, with defaults for empty ones', async () => {
  const text = `\uFEFFnote,SHA256,action,Open_Report,other\n"a, ""b""",${A},refuse,TRUE,x\n,${B},,,\n,${B},burn,,\n,${B},,maybe,\n`;
  expect(await read('csv', text)).toEqual({
    hashes: [
      { sha256: A, action: 'refuse', open_report: true, source: 'list', note: 'a, "b"' },
      { sha256: B, ...DEFAULTS },
    ],
    failed: 2,
    problems: [
      { line: 4, problem: 'action is neither refuse nor quarantine' },
      { line: 5, problem: 'open_report is neither true nor false' },
    ],
  });
  await expect(read('csv', `hash\n${A}\n`)).rejects.toThrow('does not name the column sha256');
  await expect(read('csv', `sha256\n"${A}\n`)).rejects.toThrow('not CSV');
});

it('reads objects of NDJSON, and reports lines that are none', async () => {
  const lines = [
    JSON.stringify({ sha256: A, action: 'refuse', source: null, note: 'ß'.repeat(500), score: 1 }),
    '[]',
    '{',
    JSON.stringify({ sha256: B, note: 'ß'.repeat(501) }),
    JSON.stringify({ sha256: 7 }),
    '{"__proto__": {"sha256": "x"}}',
    JSON.stringify({ sha256: B, source: 'a\0' }),
  ];
  expect(await read('ndjson', lines.join('\n'))).toMatchObject({
    hashes: [{ sha256: A, action: 'refuse', source: 'list', note: 'ß'.repeat(500) }],
    failed: 6,
    problems: [2, 3, 4, 5, 6, 7].map((line) => ({ line })),
  });
});

it('refuses a file of too many lines whole', async () => {
  const line = `${A}\n`;
  expect((await read('text', line.repeat(MAX_LINES), 65_536)).hashes).toHaveLength(1);
  await expect(read('text', `${line.repeat(MAX_LINES)}#`, 65_536)).rejects.toThrow('more than 100000 lines');
});
