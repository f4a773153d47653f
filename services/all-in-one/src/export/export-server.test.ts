import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@steward/kernel';
import type { BlobStore } from '@steward/media';
import { openSortedDocuments, spoolDocuments } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportServer } from './export-server.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'steward-export-'));
});
afterEach(() => rm(parent, { recursive: true }));

/** Exports a server without documents. */
function exportEmpty(
  name: string,
  { user = undefined as string | undefined, meanwhile = async () => {} } = {},
) {
  return exportServer({
    directory: join(parent, name),
    user,
    random: systemRandom,
    onProblem: expect.unreachable,
    async open(spool) {
      await spoolDocuments((async function* () {})(), spool);
      await meanwhile();
      const documents = openSortedDocuments(spool);
      const blobs = {} as BlobStore;
      return { documents, blobs, current: async () => undefined, close: async () => documents.close() };
    },
  });
}

it('leaves a file alone that is where the directory should be', async () => {
  await writeFile(join(parent, 'file'), 'precious');
  await expect(exportEmpty('file')).rejects.toThrow(/^The directory .*file cannot be used: .*ENOTDIR/);
  expect(await readFile(join(parent, 'file'), 'utf8')).toBe('precious');
});

it('leaves alone what appears in the directory meanwhile', async () => {
  const directory = join(parent, 'alice');
  const meanwhile = async () => {
    await mkdir(directory);
    await writeFile(join(directory, 'file'), 'precious');
  };
  await expect(exportEmpty('alice', { meanwhile })).rejects.toThrow('is not empty');
  expect(await readdir(directory)).toEqual(['file']);
});

it('leaves no copy of the documents when it fails', async () => {
  await expect(exportEmpty('bob', { user: '@bob:test' })).rejects.toThrow('no account @bob:test');
  expect(await readdir(parent)).toEqual([]);
});

it('is refused while another one into the same directory is running', async () => {
  const meanwhile = () => expect(exportEmpty('alice')).rejects.toThrow('is using the directory');
  await exportEmpty('alice', { meanwhile });
  expect(await readdir(join(parent, 'alice'))).toContain('users.ndjson');
  expect(await readdir(parent)).toEqual(['alice']);
});
