import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import type { DeletionParams } from './deletion.ts';

/** @throws refuse.unknown when the creator of the new room cannot be a user of this server */
export function requireLocalCreator(
  { serverName }: Pick<Deps, 'serverName'>,
  { newRoomUser }: DeletionParams,
): void {
  if (newRoomUser !== null && parseUserId(newRoomUser)?.domain !== serverName) {
    throw refuse.unknown("'new_room_user_id' must be a user of this server");
  }
}
