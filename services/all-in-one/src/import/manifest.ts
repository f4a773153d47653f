import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { summarize } from '../backup/files.ts';
import { fileSummary } from '../backup/manifest.ts';

/** The number of the format of exports, which a change that an earlier release cannot read raises. */
export const EXPORT_FORMAT = 1;

/** The file of an export that describes it; it is written last. */
export const EXPORT_MANIFEST = 'manifest.json';

const count = z.int().min(0);

const manifest = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  server_name: z.string(),
  /** The user whose data they are; null for those of the server. */
  user: z.string().nullable(),
  /** The room that they are about; null for those of the server. */
  room: z.string().nullable().default(null),
  /** The records are those of one moment, not earlier than this one, in milliseconds since the Unix epoch. */
  exported_ts: count,
  /** The files of records in the order in which they are loaded. `kind` is null for one that no import reads. */
  files: z.array(
    fileSummary.extend({
      name: z.string().regex(/^[a-z_]+\.ndjson$/),
      kind: z.string().nullable(),
      records: count,
    }),
  ),
});

/** The description of an export. */
export type ExportManifest = z.infer<typeof manifest>;

/**
 * Reads the manifest of an export.
 *
 * @throws Error with a message of one line when it is missing, damaged or of another format
 */
async function readExportManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, EXPORT_MANIFEST);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(
      `${folder} is not a complete export: it has no ${EXPORT_MANIFEST}. Name the files to load.`,
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is damaged: it is not JSON.`, { cause });
  }
  const { format } = (json ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format !== EXPORT_FORMAT)
    throw new Error(`${path} has the format ${format}, and this release reads ${EXPORT_FORMAT}.`);
  const { data, error } = manifest.safeParse(json);
  if (error) throw new Error(`${path} is damaged: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
  return data;
}

/**
 * Checks an export before anything of it is loaded, and returns the files to load in their order.
 *
 * @param kinds the names of the kinds that can be loaded
 * @throws Error with a message of one line when it is of another server, has a kind that does not exist, or a file that is not as it
 *   was written
 */
export async function checkedFiles(
  folder: string,
  serverName: string,
  kinds: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { server_name, files } = await readExportManifest(folder);
  if (server_name !== serverName)
    throw new Error(`${folder} is of the server ${server_name}, but STEWARD_SERVER_NAME is ${serverName}.`);
  const loaded: string[] = [];
  for (const { name, kind, length, sha256 } of files) {
    const path = join(folder, name);
    if (kind !== null && !kinds.has(kind)) throw new Error(`${path}: there are no records of kind ${kind}`);
    const found = await summarize(path).catch((cause: Error) => {
      throw new Error(`${path} cannot be read: ${cause.message}`, { cause });
    });
    if (found.length !== length || found.sha256 !== sha256)
      throw new Error(
        `${path} is not the file of the export: its SHA-256 is not that of ${EXPORT_MANIFEST}.`,
      );
    if (kind !== null) loaded.push(path);
  }
  return loaded;
}
