import type { Doc } from '@steward/store';
import { BlobMissing, type BlobStore } from '../core/blobs/mod.ts';
import { type Media, media } from '../core/model/media.ts';
import { readMedium } from '../core/read-medium.ts';

/** What a server stores, while it runs. */
interface Stored {
  /** A document as it is now. */
  current(collection: string, id: string): Promise<Doc | undefined>;
  readonly blobs: Pick<BlobStore, 'open'>;
}

/**
 * Reads the bytes of a medium whose document was copied some time ago; the server may have moved them to another key since.
 *
 * @throws BlobMissing when there are none, or the medium is being deleted; possibly only at the first piece
 */
export function storedBytes({ _id, blob, length }: Media, stored: Stored): AsyncIterable<Uint8Array> {
  const key = blob ?? '';
  return readMedium(stored, { blob: key, length }, async () => {
    const now = (await stored.current(media.name, _id)) as Media | undefined;
    if (!now?.blob || now.state === 'deleting') throw new BlobMissing(key);
    return { blob: now.blob, length };
  });
}
