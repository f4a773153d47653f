import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The number of the format of backups, which a change that an earlier release cannot read raises. */
export const FORMAT = 1;

/** The file of a backup that describes it; a folder without it is not a complete backup. */
export const MANIFEST_FILE = 'manifest.json';

const count = z.int().min(0);

/** The size of a file, and the digest of its bytes. */
export const fileSummary = z.strictObject({ length: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** The size of a file in bytes, and the SHA-256 digest of its bytes in hexadecimal. */
export type FileSummary = z.infer<typeof fileSummary>;

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The release that made the backup, and the format of the documents, see `claimSchema`. */
  release: z.string(),
  schema: count,
  server_name: z.string(),
  engine: z.enum(['sqlite', 'mongodb']),
  /** The documents are those of one moment between these two, in milliseconds since the Unix epoch. */
  cut: z.strictObject({ after_ts: count, before_ts: count }),
  completed_ts: count,
  /** The number of documents in each collection. */
  documents: z.record(z.string(), count),
  /** The media with bytes: how many blobs, and their bytes. */
  media: z.strictObject({ blobs: count, bytes: count }),
  /** The other files of the folder; none is in a folder of its own. */
  files: z.record(z.string().regex(/^[a-z_]+(?:\.[a-z]+)*$/), fileSummary),
});

/** The description of a backup. */
export type Manifest = z.infer<typeof manifest>;

/**
 * Reads the manifest of a backup.
 *
 * @throws Error with a message of one line when it is missing, damaged or of a later format
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${folder} is not a complete backup: it has no ${MANIFEST_FILE}.`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is damaged: it is not JSON.`, { cause });
  }
  const { format } = (json ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new Error(
      `${path} has the format ${format}, and this release reads ${FORMAT}. Use a later release.`,
    );
  }
  const { data, error } = manifest.safeParse(json);
  if (error) throw new Error(`${path} is damaged: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
  return data;
}
