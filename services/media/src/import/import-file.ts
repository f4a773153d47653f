import { Code, ConnectError } from '@connectrpc/connect';
import type { ImportFileRequest } from '@steward/proto/steward/media/v1/import_pb.ts';
import { changeAggregates } from '@steward/service';
import { newBlobKey } from '../core/blobs/blob-key.ts';
import { BlobTooLarge, type StoredBlob } from '../core/blobs/mod.ts';
import type { Deps } from '../core/deps.ts';
import { keepBlob } from '../core/keep-blob.ts';
import { type Media, mediaKey } from '../core/model/media.ts';
import { bytesOf } from '../core/upload-bytes.ts';

/**
 * Stores the bytes of a medium whose record was loaded without them; from then on it is served.
 *
 * @throws ConnectError when the medium does not exist, or the number of bytes differs from its record
 */
export async function importFile(
  deps: Deps,
  pieces: AsyncIterable<ImportFileRequest>,
): Promise<{ stored: boolean }> {
  const iterator = pieces[Symbol.asyncIterator]();
  const { value: first } = await iterator.next();
  const key = mediaKey(first?.serverName ?? '', first?.mediaId ?? '');
  const medium = await deps.media.findOne({ _id: key, state: 'stored' });
  if (!first || !medium) throw new ConnectError('There is no such medium', Code.NotFound);
  if (medium.blob !== null) return { stored: false };
  const blob = newBlobKey(deps.random);
  const put = async () => {
    const stored = await deps.blobs
      .put(blob, bytesOf(deps, iterator, first.data), medium.length)
      .catch(tooLong);
    if (stored.length !== medium.length) throw wrongLength();
    if (medium.sha256 !== null && stored.sha256 !== medium.sha256)
      throw new ConnectError('The file does not have the sha256 of the record', Code.InvalidArgument);
    return stored;
  };
  await keepBlob(deps, blob, put, (stored) => name(deps, medium, blob, stored));
  return { stored: true };
}

/**
 * Names bytes in a record. The record keeps its quarantine, also when its content is in quarantine otherwise: an import
 * restores what was exported.
 *
 * @throws ConnectError when no document can name the bytes; the sweep then removes them
 */
async function name(
  { media }: Pick<Deps, 'media'>,
  { _id }: Media,
  blob: string,
  { sha256 }: StoredBlob,
): Promise<void> {
  const unnamed = { _id, state: 'stored', blob: null } as const;
  if ((await changeAggregates(media, unnamed, { set: { blob, sha256 } })) === 0)
    throw new ConnectError('The medium has changed meanwhile', Code.Aborted);
}

function tooLong(error: unknown): never {
  throw error instanceof BlobTooLarge ? wrongLength() : error;
}

function wrongLength(): ConnectError {
  return new ConnectError('The file is not as long as media_length says', Code.InvalidArgument);
}
