import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines, writeLines } from './files.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'steward-files-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe.each(['lines.ndjson', 'lines.ndjson.zst'])('%s', (name) => {
  async function* values() {
    for (let n = 0; n < 5_000; n++) yield { n, random: Math.sin(n), text: 'a\u2028b\u2029c\r\n\u0085' };
  }

  it('contains what was written, with every character', async () => {
    const path = join(directory, name);
    await writeLines(path, values());
    expect(await Array.fromAsync(readLines(path))).toEqual(await Array.fromAsync(values()));
  });

  it('a file of a backup is not read as if it ended where it is cut off or missing', async () => {
    const path = join(directory, name);
    await writeLines(path, values());
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    await expect(Array.fromAsync(readLines(path))).rejects.toThrow(Error);
    await rm(path);
    await expect(Array.fromAsync(readLines(path))).rejects.toThrow('ENOENT');
  });
});
