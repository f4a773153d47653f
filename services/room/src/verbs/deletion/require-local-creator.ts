import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';

/** @throws refuse.unknown when the creator of the new room cannot be a user of this server */
export function requireLocalCreator(
  { serverName }: Pick<Deps, 'serverName'>,
  { newRoomUser }: DeletionParams,
): void {
  if (newRoomUser !== null && parseUserId(newRoomUser)?.domain !== serverName) {
    throw refuse.unknown("'new_room_user_id' must be a user of this server");
  }
}
