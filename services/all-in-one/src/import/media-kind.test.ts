import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { ImportService } from '@steward/proto/steward/media/v1/import_pb.ts';
import { expect, it, onTestFinished } from 'vitest';
import { mediaKind } from './media-kind.ts';

/** Creates a directory for files, and a service that calls `answer` for each file. */
async function setUp(answer: (mediaId: string) => void) {
  const directory = await mkdtemp(join(tmpdir(), 'steward-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const transport = createRouterTransport(({ service }) => {
    service(ImportService, {
      importMedia: ({ media }) => ({ loaded: media.length }),
      async importFile(pieces) {
        let mediaId = '';
        for await (const piece of pieces) mediaId ||= piece.mediaId;
        answer(mediaId);
        return { stored: true };
      },
    });
  });
  const kind = mediaKind(transport, directory);
  const read = async (mediaId: string) => {
    await writeFile(join(directory, mediaId), 'bytes');
    const record = { media_id: mediaId, origin: 'elsewhere', media_length: 5, file: mediaId };
    return kind.read(JSON.stringify(record));
  };
  return { directory, kind, read };
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
