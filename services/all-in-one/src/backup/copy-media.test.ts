import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@steward/kernel';
import { BlobMissing, type BlobStore, media } from '@steward/media';
import { mediumOf } from '@steward/media/testing';
import type { StoredDocument } from '@steward/store';
import { expect, it, onTestFinished } from 'vitest';
import { Contents } from './contents.ts';
import { copyMedia } from './copy-media.ts';

it('finds the bytes of a medium that was moved to another store after its document was copied', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'steward-copy-media-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const contents = new Contents(directory, systemRandom);
  await contents.open();
  const thumbnail = {
    key: 'old.small',
    width: 32,
    height: 32,
    method: 'crop',
    type: 'image/png',
    length: 1,
  } as const;
  const medium = mediumOf('m', { blob: 'old', length: 5, thumbnails: [thumbnail] });
  const blobs: Pick<BlobStore, 'open'> = {
    async *open(key) {
      if (key !== 'new') throw new BlobMissing(key);
      yield Buffer.from('bytes');
    },
  };
  async function* documents(): AsyncGenerator<StoredDocument> {
    yield { collection: media.name, document: medium };
  }
  const options = {
    source: { blobs: blobs as BlobStore, current: async () => ({ ...medium, blob: 'new', thumbnails: [] }) },
    contents,
    progress: { blobs: 0, bytes: 0, copiedBytes: 0 },
    onProblem: expect.unreachable,
  };
  const lines = await Array.fromAsync(copyMedia(documents(), options));
  expect(lines).toEqual([{ key: 'old', length: 5, sha256: expect.any(String) }]);
});
