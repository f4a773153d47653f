import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  GetRoomKeysRequest,
  GetRoomKeysResponseSchema,
} from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { existingKeyBackup } from './existing-key-backup.ts';
import { readBackedUpKeys } from './read-backed-up-keys.ts';

/** Returns the keys of one room in a backup; none for a room that is not in it. */
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
