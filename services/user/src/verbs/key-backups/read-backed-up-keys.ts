import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { BackedUpSessionSchema } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { KeyBackupSession } from '../../core/model/key-backup.ts';

/** The longest response, in characters of JSON: some twenty thousand keys. */
const MAX_RESPONSE_CHARS = 24 * 1024 * 1024;

/** The length of a key in a response besides its data and ids, in characters. */
const CHARS_PER_KEY = 100;

type Sessions = Map<string, MessageInitShape<typeof BackedUpSessionSchema>>;

/**
 * The keys that match, by room.
 *
 * @throws refuse.tooLarge when they are too many for one response
 */
export async function readBackedUpKeys(
  deps: Deps,
  filter: Filter<KeyBackupSession>,
): Promise<ReadonlyMap<string, Sessions>> {
  const rooms = new Map<string, Sessions>();
  let chars = 0;
  for await (const session of deps.keyBackupSessions.find(filter)) {
    const { room_id, session_id, session_data } = session;
    chars += CHARS_PER_KEY + room_id.length + session_id.length + session_data.length;
    if (chars > MAX_RESPONSE_CHARS)
      throw refuse.tooLarge('There are too many keys for one response: request those of one room or session');
    const sessions: Sessions = rooms.get(room_id) ?? new Map();
    rooms.set(room_id, sessions.set(session_id, toBackedUpSession(session)));
  }
  return rooms;
}

export function toBackedUpSession(session: KeyBackupSession): MessageInitShape<typeof BackedUpSessionSchema> {
  return {
    firstMessageIndex: session.first_message_index,
    forwardedCount: session.forwarded_count,
    isVerified: session.is_verified,
    sessionData: session.session_data,
  };
}
