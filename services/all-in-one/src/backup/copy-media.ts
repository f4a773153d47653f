import { BlobMissing, blobsOf, type Media, media, storedBytes } from '@steward/media';
import type { StoredDocument } from '@steward/store';
import type { Contents } from './contents.ts';
import type { FileSummary } from './manifest.ts';
import type { Source } from './source.ts';

/** The media whose bytes are copied concurrently. */
const CONCURRENT = 16;

/**
 * A line about the media of a backup: the bytes under a key, or a medium whose bytes are not in it, because its deletion
 * began after the documents were copied. The restore completes that deletion.
 */
export type MediaLine = ({ readonly key: string } & FileSummary) | { readonly deleted: string };

/** What has been copied. */
export interface MediaProgress {
  blobs: number;
  bytes: number;
  /** The part of `bytes` that no earlier backup of the directory had. */
  copiedBytes: number;
}

/**
 * Copies the bytes that copied documents name, except those that the directory has. Bytes never change under a key, and a
 * document exists only with its bytes; so only a deletion can have removed them since the documents were copied.
 *
 * @param onProblem called for bytes that are missing or damaged although their medium is not being deleted
 * @returns the lines of the backup
 */
export async function* copyMedia(
  documents: AsyncIterable<StoredDocument>,
  options: {
    readonly source: Pick<Source, 'blobs' | 'current'>;
    readonly contents: Contents;
    readonly progress: MediaProgress;
    readonly onProblem: (problem: string) => void;
  },
): AsyncGenerator<MediaLine> {
  let group: Media[] = [];
  const copyGroup = async () => {
    const lines = await Promise.all(group.map((medium) => copyMedium(medium, options)));
    group = [];
    return lines.flat();
  };
  for await (const { document } of documents) {
    group.push(document as Media);
    if (group.length === CONCURRENT) yield* await copyGroup();
  }
  yield* await copyGroup();
}

async function copyMedium(
  medium: Media,
  { source, contents, progress, onProblem }: Parameters<typeof copyMedia>[1],
): Promise<readonly MediaLine[]> {
  const lines: MediaLine[] = [];
  for (const { key, sha256 } of blobsOf(medium)) {
    const known = sha256 === undefined ? undefined : await contents.length(sha256);
    if (sha256 !== undefined && known === medium.length) {
      lines.push({ key, sha256, length: known });
      continue;
    }
    try {
      const isOwn = key === medium.blob;
      const added = await contents.add(isOwn ? storedBytes(medium, source) : source.blobs.open(key));
      progress.copiedBytes += added.length;
      lines.push({ key, ...added });
      if (sha256 !== undefined && added.sha256 !== sha256)
        onProblem(`the bytes of ${medium._id} are damaged: their SHA-256 is not that of the upload`);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      const now = (await source.current(media.name, medium._id)) as Media | undefined;
      if (!now || now.state === 'deleting') return [{ deleted: medium._id }];
      // A move to another store removes thumbnails, which are created again when they are requested.
      if (key !== medium.blob && now.blob !== medium.blob) continue;
      onProblem(`the bytes ${key} of ${medium._id} are missing`);
    }
  }
  for (const line of lines) {
    if ('deleted' in line) continue;
    progress.blobs++;
    progress.bytes += line.length;
  }
  return lines;
}
