import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  BackedUpSessionSchema,
  GetKeysRequest,
  GetKeysResponseSchema,
  GetRoomKeysRequest,
  GetRoomKeysResponseSchema,
  GetSessionKeyRequest,
  GetSessionKeyResponseSchema,
} from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { type KeyBackupSession, keyBackupSessionId } from '../../core/model/key-backup.ts';
import { existingKeyBackup } from './existing-key-backup.ts';

/** How much JSON an answer holds, in characters; some twenty thousand keys. */
const MAX_ANSWER_CHARS = 24 * 1024 * 1024;
/** What a key takes in an answer beside its data and ids, in characters. */
const CHARS_PER_KEY = 100;

type Sessions = Map<string, MessageInitShape<typeof BackedUpSessionSchema>>;

/** All keys in a backup (client-plane.md 12). */
export async function getKeys(
  deps: Deps,
  { version }: GetKeysRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetKeysResponseSchema>> {
  const backup = await existingKeyBackup(deps, requester(context).userId, version);
  const rooms = await readBackedUpKeys(deps, { user_id: backup.user_id, version: backup.version });
  const answered = [...rooms].map(
    ([roomId, sessions]) => [roomId, { sessions: Object.fromEntries(sessions) }] as const,
  );
  return { rooms: Object.fromEntries(answered) };
}

/** The keys of one room in a backup; none for a room that it does not know. */
export async function getRoomKeys(
  deps: Deps,
  { version, roomId }: GetRoomKeysRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetRoomKeysResponseSchema>> {
  const backup = await existingKeyBackup(deps, requester(context).userId, version);
  const rooms = await readBackedUpKeys(deps, {
    user_id: backup.user_id,
    version: backup.version,
    room_id: roomId,
  });
  return { sessions: Object.fromEntries(rooms.get(roomId) ?? []) };
}

/** One key in a backup. */
export async function getSessionKey(
  deps: Deps,
  { version, roomId, sessionId }: GetSessionKeyRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof GetSessionKeyResponseSchema>> {
  const backup = await existingKeyBackup(deps, requester(context).userId, version);
  const session = await deps.keyBackupSessions.findOne({
    _id: keyBackupSessionId(backup, roomId, sessionId),
  });
  if (!session) throw refuse.notFound('There is no such key in the backup');
  return { session: toBackedUpSession(session) };
}

/**
 * The keys that match, by room.
 *
 * @throws refuse.tooLarge when they are too many for one answer
 */
async function readBackedUpKeys(deps: Deps, filter: Filter<KeyBackupSession>): Promise<ReadonlyMap<string, Sessions>> {
  const rooms = new Map<string, Sessions>();
  let chars = 0;
  for await (const session of deps.keyBackupSessions.find(filter)) {
    const { room_id, session_id, session_data } = session;
    chars += CHARS_PER_KEY + room_id.length + session_id.length + session_data.length;
    if (chars > MAX_ANSWER_CHARS)
      throw refuse.tooLarge('There are too many keys for one answer: ask for those of one room or session');
    const sessions: Sessions = rooms.get(room_id) ?? new Map();
    rooms.set(room_id, sessions.set(session_id, toBackedUpSession(session)));
  }
  return rooms;
}

function toBackedUpSession(session: KeyBackupSession): MessageInitShape<typeof BackedUpSessionSchema> {
  return {
    firstMessageIndex: session.first_message_index,
    forwardedCount: session.forwarded_count,
    isVerified: session.is_verified,
    sessionData: session.session_data,
  };
}
