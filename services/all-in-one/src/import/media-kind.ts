import { constants, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { eachOf, type JsonObject } from '@steward/kernel';
import {
  type ImportedMedia,
  ImportedMediaSchema,
  type ImportFileRequestSchema,
  ImportService,
} from '@steward/proto/steward/media/v1/import_pb.ts';
import { parseRecord } from '@steward/records';
import { fileWithin } from './file-within.ts';
import type { Kind } from './kind.ts';
import { readShaped } from './read-shaped.ts';

/** The service's codes for a file or a medium that has changed since the line was read. */
const CHANGED: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.NotFound, Code.Aborted]);

/** How many files are loaded at a time: each of them waits for the disk. */
const CONCURRENT_FILES = 16;

/** A record, and the file with its bytes. */
interface Loaded {
  readonly record: ImportedMedia;
  /** `undefined` for a record without bytes. */
  readonly file: string | undefined;
}

/**
 * The kind of media: their records, and the files that the records name.
 *
 * @param directory the directory of the records, to which the file names are relative and which contains the files
 */
export function mediaKind(transport: Transport, directory: string): Kind {
  const client = createClient(ImportService, transport);
  const alone = mediaWithoutFiles(transport, directory);
  return {
    ...alone,
    async load(records) {
      const media = records as readonly Loaded[];
      const { loaded, skipped, problems } = await alone.load(media);
      const refused = new Set(problems.map(({ index }) => index));
      const found: { index: number; problem: string }[] = [...problems];
      await eachOf(media.entries(), CONCURRENT_FILES, async ([index, { record, file }]) => {
        if (file === undefined || refused.has(index)) return;
        const problem = await loadFile(client, record, file);
        if (problem !== undefined) found.push({ index, problem });
      });
      return { loaded, skipped, problems: found.sort((a, b) => a.index - b.index) };
    },
  };
}

/** The same, of which only the records are loaded; the files are looked at. */
export function mediaWithoutFiles(transport: Transport, directory: string): Kind {
  const client = createClient(ImportService, transport);
  return {
    read(line): Loaded {
      const json = parseRecord(line);
      const record = readShaped('media', ImportedMediaSchema, json);
      return { record, file: fileOf(json, record, directory) };
    },
    load: (records) =>
      client.importMedia({ media: (records as readonly Loaded[]).map(({ record }) => record) }),
  };
}

/** @throws Error when the file is missing, outside of the directory, or does not match the record */
function fileOf(json: JsonObject, { mediaLength }: ImportedMedia, directory: string): string | undefined {
  const { file } = json;
  if (file === undefined || file === null) return undefined;
  if (typeof file !== 'string') throw new Error('file is not a path');
  const path = fileWithin(directory, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error('file is not there');
  if (BigInt(found.size) !== mediaLength) throw new Error('file is not as long as media_length says');
  return path;
}

/**
 * Loads a file whose record has been loaded; returns the problem of the file, if it has one. A later import of the
 * same line tries again.
 *
 * @throws ConnectError when the failure is not a problem of the file
 */
async function loadFile(
  { importFile }: Pick<Client<typeof ImportService>, 'importFile'>,
  record: ImportedMedia,
  path: string,
): Promise<string | undefined> {
  let file: FileHandle;
  try {
    // The path has no symbolic link, unless one has replaced the file since.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return 'file cannot be read';
  }
  try {
    // Without a deadline, as an upload: the service limits the time of both.
    await importFile(pieces(record, file));
    return undefined;
  } catch (error) {
    if (error instanceof ConnectError && CHANGED.has(error.code)) return error.rawMessage;
    throw error;
  } finally {
    await file.close();
  }
}

async function* pieces(
  { origin, mediaId, userId }: ImportedMedia,
  file: FileHandle,
): AsyncGenerator<MessageInitShape<typeof ImportFileRequestSchema>> {
  // The record of a medium of this server has no origin; the id of its uploader contains the server name.
  const serverName = origin ?? userId.slice(userId.indexOf(':') + 1);
  yield { serverName, mediaId };
  for await (const data of file.createReadStream({ autoClose: false })) yield { data };
}
