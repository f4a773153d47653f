import { parseUserId } from '@steward/kernel';
import type { ImportedMedia, ImportMediaRequest } from '@steward/proto/steward/media/v1/import_pb.ts';
import {
  type Checked,
  checkBatch,
  checked,
  type ImportProblem,
  insertAggregates,
  insertedCount,
  isSafeNumber,
  type LoadedBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { keptName } from '../core/model/file-name.ts';
import { findableOf, type Media, mediaKey } from '../core/model/media.ts';
import { keptType } from '../core/model/media-type.ts';
import { furtherOfMedia } from '../core/records/further-fields.ts';
import { removeAllMedia } from '../core/remove-media.ts';
import { countUncounted } from '../core/usage/count-media.ts';
import { insertCounted, withoutExisting } from '../core/usage/insert-counted.ts';

/** The form of media ids (client-plane.md 3). */
const MEDIA_ID = /^[A-Za-z0-9_-]{1,255}$/;

/** The form of server names. */
const SERVER_NAME = /^[A-Za-z0-9.:[\]-]{1,230}$/;

/** The longest id of the administrator who quarantined a medium, in characters. */
const MAX_ADMINISTRATOR_LENGTH = 255;

/**
 * Loads records of media, and skips existing ones. Not flushed, because closing the store at the end of the import makes
 * everything durable, and an import that a power failure interrupts is repeated.
 */
export async function importMedia(deps: Deps, { media }: ImportMediaRequest): Promise<LoadedBatch> {
  checkBatch(media);
  const problems: ImportProblem[] = [];
  const documents = new Map<string, Media>();
  for (const [index, record] of media.entries()) {
    const problem = problemOf(deps, record);
    const read: Checked<Media> = problem === undefined ? checked(() => toMedia(deps, record)) : { problem };
    if ('document' in read) documents.set(read.document._id, read.document);
    else problems.push({ index, problem: read.problem });
  }
  await finishDeletions(deps, [...documents.keys()]);
  const loaded = await insert(deps, await withoutExisting(deps, [...documents.values()]), media);
  return { loaded, skipped: media.length - loaded - problems.length, problems };
}

/** Finishes deletions that a crash interrupted: what is left of a medium would be skipped here, and removed later. */
async function finishDeletions(deps: Deps, keys: readonly string[]): Promise<void> {
  const left = await deps.media
    .find({ _id: { $in: keys }, state: 'deleting' }, { projection: { _id: 1 } })
    .toArray();
  await removeAllMedia(
    deps,
    left.map(({ _id }) => _id),
  );
}

/**
 * Inserts new documents and counts them. Media of other servers belong to no user, and are not counted.
 *
 * @returns how many were inserted
 */
async function insert(
  deps: Deps,
  documents: readonly Media[],
  records: readonly ImportedMedia[],
): Promise<number> {
  const local = documents.filter(({ user_id }) => user_id !== null);
  const remote = documents.filter(({ user_id }) => user_id === null);
  if (deps.capabilities.insertsAlongCommit) {
    await insertCounted(deps, local);
    return local.length + (await insertAll(deps, remote));
  }
  const uncounted = local.map((medium) => ({ ...medium, uncounted: true as const }));
  const loaded = await insertAll(deps, [...uncounted, ...remote]);
  // Also counts media of an earlier load that was interrupted before this step.
  const userIds = [...new Set(records.map(({ userId }) => userId).filter((userId) => userId !== ''))];
  if (userIds.length > 0) await countUncounted(deps, { user_id: { $in: userIds } });
  return loaded;
}

async function insertAll({ media }: Pick<Deps, 'media'>, documents: readonly Media[]): Promise<number> {
  if (documents.length === 0) return 0;
  return insertedCount(insertAggregates(media, documents, { ...NOT_FLUSHED, ordered: false }));
}

function problemOf({ serverName }: Pick<Deps, 'serverName'>, record: ImportedMedia): string | undefined {
  if (!MEDIA_ID.test(record.mediaId)) return 'media_id is not a media id';
  const { origin = serverName } = record;
  if (!SERVER_NAME.test(origin)) return 'origin is not the name of a server';
  if (origin === serverName) {
    if (parseUserId(record.userId)?.domain !== serverName) return `user_id is not a user of ${serverName}`;
  } else if (record.userId !== '') {
    return 'user_id is that of a medium of another server';
  }
  if (!isSafeNumber(record.mediaLength)) {
    return 'media_length is not a length';
  }
  if (!isSafeNumber(record.createdTs)) return 'created_ts is not a time';
  if (record.lastAccessTs !== undefined && !isSafeNumber(record.lastAccessTs))
    return 'last_access_ts is not a time';
  if ((record.quarantinedBy ?? '').length > MAX_ADMINISTRATOR_LENGTH) return 'quarantined_by is too long';
  return undefined;
}

function toMedia({ serverName }: Pick<Deps, 'serverName'>, record: ImportedMedia): Media {
  const { origin = serverName } = record;
  const medium = {
    _id: mediaKey(origin, record.mediaId),
    version: 1,
    origin,
    media_id: record.mediaId,
    user_id: origin === serverName ? record.userId : null,
    created_ts: Number(record.createdTs),
    length: Number(record.mediaLength),
    type: keptType(record.mediaType),
    upload_name: keptName(record.uploadName),
    sha256: null,
    last_access_ts: record.lastAccessTs === undefined ? null : Number(record.lastAccessTs),
    quarantined_by: record.quarantinedBy ?? null,
    safe_from_quarantine: false,
    blob: null,
    authenticated: false,
    state: 'stored',
    thumbnails: [],
    ...furtherOfMedia.read(record.further),
  } as const;
  return { ...medium, ...findableOf(medium), unchecked: true };
}
