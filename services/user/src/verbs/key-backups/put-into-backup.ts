import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { QuotaHolder } from '@steward/limits';
import type { BackedUpSession } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import { type BulkOperation, Conflict, type Filter, removeInBatches, retryOnConflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { reserveBackupSpace } from '../../core/key-backups/backup-space.ts';
import { parseObject } from '../../core/keys/signed-object.ts';
import { isDots } from '../../core/model/is-dots.ts';
import {
  type KeyBackup,
  type KeyBackupSession,
  keyBackupSessionId,
  sizeOf,
} from '../../core/model/key-backup.ts';
import { writableKeyBackup } from './existing-key-backup.ts';
import { countAndEtagOf } from './get-key-backup.ts';

/** The number of keys that are read and written together. */
const BATCH = 200;

/** The longest room or session id, in characters. */
const MAX_ID_CHARS = 255;

/** A key as the client sent it. */
interface SentKey {
  readonly roomId: string;
  readonly sessionId: string;
  readonly session: Omit<BackedUpSession, `$${string}`>;
}

export function sentKeysOf(roomId: string, sessions: Readonly<Record<string, BackedUpSession>>): SentKey[] {
  return Object.entries(sessions).map(([sessionId, session]) => ({ roomId, sessionId, session }));
}

export async function putIntoBackup(
  deps: Deps,
  context: HandlerContext,
  version: string,
  keys: readonly SentKey[],
) {
  for (const [index, { roomId, sessionId, session }] of keys.entries()) {
    if (index % BATCH === BATCH - 1) await yieldToEventLoop();
    if (roomId.length > MAX_ID_CHARS || sessionId.length > MAX_ID_CHARS)
      throw refuse.invalidParam('The id of a room or session is too long');
    if (isDots(roomId) || isDots(sessionId))
      throw refuse.invalidParam("The id of a room or session must not be '.' or '..'");
    if (!parseObject(session.sessionData)) throw refuse.badJson("'session_data' must be an object");
  }
  const caller = requester(context);
  const backup = await writableKeyBackup(deps, caller.userId, version);
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = keys.slice(start, start + BATCH).map((key) => toSession(backup, key));
    await retryOnConflict(() => putBatch(deps, caller, backup, batch), deps);
  }
  const filled = await deps.keyBackups.findOne({ _id: backup._id });
  if (!filled) {
    // A concurrent deletion of the backup may have removed its keys before these were written.
    await removeInBatches(deps.keyBackupSessions, { user_id: backup.user_id, version: backup.version });
    throw refuse.notFound('There is no key backup of this version');
  }
  return countAndEtagOf(deps, filled);
}

/** @throws Conflict when a concurrent request wrote one of the keys first */
async function putBatch(
  deps: Deps,
  holder: QuotaHolder,
  backup: KeyBackup,
  batch: readonly KeyBackupSession[],
): Promise<void> {
  const held = await deps.keyBackupSessions
    .find(
      { _id: { $in: batch.map(({ _id }) => _id) } },
      {
        projection: {
          room_id: 1,
          session_id: 1,
          session_data: 1,
          first_message_index: 1,
          forwarded_count: 1,
          is_verified: 1,
        },
      },
    )
    .toArray();
  const byId = new Map(held.map((session) => [session._id, session]));
  let added = 0;
  const writes = batch.flatMap((session): BulkOperation<KeyBackupSession>[] => {
    const stored = byId.get(session._id);
    if (stored && !isBetter(session, stored)) return [];
    added += sizeOf(session) - (stored ? sizeOf(stored) : 0);
    if (!stored) return [{ insertOne: { document: session } }];
    const { _id, ...fields } = session;
    return [{ updateOne: { filter: { _id, ...unchangedSince(stored) }, update: { $set: fields } } }];
  });
  if (writes.length === 0) return;
  // The etag rises before the keys change: a crash in between never leaves changed keys under the old etag.
  await reserveBackupSpace(deps, holder, backup, added);
  const updates = writes.filter((write) => 'updateOne' in write).length;
  const { matchedCount } = await deps.keyBackupSessions
    .bulkWrite(writes, { ordered: false })
    .catch((error) => {
      throw error instanceof Conflict ? new Conflict('version', { cause: error }) : error;
    });
  if (matchedCount < updates) throw new Conflict('version');
}

type Quality = Pick<KeyBackupSession, 'first_message_index' | 'forwarded_count' | 'is_verified'>;

/** Whether a key replaces another one; that its sender was verified matters most. */
function isBetter(key: Quality, than: Quality): boolean {
  if (key.is_verified !== than.is_verified) return key.is_verified;
  if (key.first_message_index !== than.first_message_index)
    return key.first_message_index < than.first_message_index;
  return key.forwarded_count < than.forwarded_count;
}

/** Matches a key that has not been replaced since it was read. */
function unchangedSince({
  first_message_index,
  forwarded_count,
  is_verified,
}: Quality): Filter<KeyBackupSession> {
  return { first_message_index, forwarded_count, is_verified };
}

function toSession(backup: KeyBackup, { roomId, sessionId, session }: SentKey): KeyBackupSession {
  return {
    _id: keyBackupSessionId(backup, roomId, sessionId),
    user_id: backup.user_id,
    version: backup.version,
    room_id: roomId,
    session_id: sessionId,
    first_message_index: session.firstMessageIndex,
    forwarded_count: session.forwardedCount,
    is_verified: session.isVerified,
    session_data: session.sessionData,
    epoch: backup.epoch,
  };
}
