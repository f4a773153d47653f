import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError, type ConnectRouter, createRouterTransport } from '@connectrpc/connect';
import { ImportService } from '@steward/proto/steward/media/v1/import_pb.ts';
import { DEADLINE_LIMIT_MS } from '@steward/rpc/testing';
import { expect, it, onTestFinished } from 'vitest';
import { mediaKind } from './media-kind.ts';

/** Creates a directory for files, and a service that calls `answer` for each file. */
async function setUp(answer: (mediaId: string) => void) {
  const directory = await mkdtemp(join(tmpdir(), 'steward-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const routes = ({ service }: ConnectRouter) => {
    service(ImportService, {
      importMedia: ({ media }) => ({ loaded: media.length }),
      async importFile(pieces) {
        let mediaId = '';
        for await (const piece of pieces) mediaId ||= piece.mediaId;
        answer(mediaId);
        return { stored: true };
      },
    });
  };
  // As a process limits the deadlines of its callers.
  const transport = createRouterTransport(routes, { router: { maxTimeoutMs: DEADLINE_LIMIT_MS } });
  const kindIn = (records: string) => mediaKind(transport, records);
  const kind = kindIn(directory);
  const read = async (mediaId: string) => {
    await writeFile(join(directory, mediaId), 'bytes');
    const record = { media_id: mediaId, origin: 'elsewhere', media_length: 5, file: mediaId };
    return kind.read(JSON.stringify(record));
  };
  return { directory, kind, kindIn, read };
}

it('continues with the other files when one no longer matches its record', async () => {
  const stored: string[] = [];
  const { directory, kind, read } = await setUp((mediaId) => {
    if (mediaId === 'longer') throw new ConnectError('It is longer', Code.InvalidArgument);
    stored.push(mediaId);
  });
  const records = [await read('longer'), await read('gone'), await read('whole')];
  await rm(join(directory, 'gone'));
  expect(await kind.load(records)).toEqual({
    loaded: 3,
    skipped: 0,
    problems: [
      { index: 0, problem: 'It is longer' },
      { index: 1, problem: 'file cannot be read' },
    ],
  });
  expect(stored).toEqual(['whole']);
});

it('ends when the service cannot store a file', async () => {
  const { kind, read } = await setUp(() => {
    throw new ConnectError('The disk is full', Code.Unavailable);
  });
  await expect(kind.load([await read('whole')])).rejects.toThrow('The disk is full');
});

it.each([
  ['an absolute path elsewhere', (root: string) => join(root, 'secret')],
  ['a path upwards', () => '../secret'],
  ['a path through a folder and upwards', () => 'inner/../../secret'],
  ['a symbolic link that leads out', () => 'link-out'],
  ['a file behind a linked folder', () => 'folder-out/secret'],
  ['a folder of the same beginning', () => '../records-2/secret'],
])('refuses %s as a file', async (_, fileIn) => {
  const { directory: root, kindIn } = await setUp(() => {});
  const records = join(root, 'records');
  await mkdir(join(records, 'inner'), { recursive: true });
  await mkdir(join(root, 'records-2'));
  for (const path of ['secret', 'records-2/secret']) await writeFile(join(root, path), 'bytes');
  await symlink(join(root, 'secret'), join(records, 'link-out'));
  await symlink(root, join(records, 'folder-out'));
  const record = { media_id: 'm', origin: 'elsewhere', media_length: 5, file: fileIn(root) };
  expect(() => kindIn(records).read(JSON.stringify(record))).toThrow(
    'file is outside of the folder of the records',
  );
});

it('accepts files within the folder of the records, by any path', async () => {
  const { directory: root, kindIn } = await setUp(() => {});
  const records = join(root, 'records');
  await mkdir(join(records, '..inner'), { recursive: true });
  await writeFile(join(records, '..inner', 'file'), 'bytes');
  await symlink(join(records, '..inner', 'file'), join(records, 'link'));
  await symlink(records, join(root, 'linked'));
  for (const file of ['..inner/file', './..inner/../link', join(root, 'linked', 'link')]) {
    const record = { media_id: 'm', origin: 'elsewhere', media_length: 5, file };
    const kind = kindIn(join(root, 'linked'));
    expect(await kind.load([kind.read(JSON.stringify(record))]), file).toMatchObject({ problems: [] });
  }
});
