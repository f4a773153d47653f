import type { Params } from '../../../client/operation.ts';
import { cleanText } from '../../../ui/input/clean-text.ts';

/** What becomes of a room that is deleted, as the form has it. */
export interface DeletionOptions {
  readonly block: boolean;
  readonly purge: boolean;
  readonly forcePurge: boolean;
  /** Whether the members are moved to a new room. */
  readonly move: boolean;
  /** Who creates the new room. */
  readonly newRoomUser: string;
  readonly newRoomName: string;
  readonly message: string;
}

/** A deletion as most are: nothing of the room remains, and no one can join it. */
export const USUAL_DELETION: DeletionOptions = {
  block: false,
  purge: true,
  forcePurge: false,
  move: false,
  newRoomUser: '',
  newRoomName: '',
  message: '',
};

/** Returns the parameters of the deletion of a room; undefined while the user who creates the new room is missing. */
export function deletionOf(
  roomId: string,
  options: DeletionOptions,
): Params<'rooms.beginDeletion'> | undefined {
  const { block, purge, forcePurge, move, newRoomUser, newRoomName, message } = options;
  const user = cleanText(newRoomUser);
  if (move && !user.startsWith('@')) return undefined;
  return {
    room_id: roomId,
    purge,
    ...(purge && forcePurge ? { force_purge: true } : {}),
    // Each requires a further scope, also with its default.
    ...(block ? { block: true } : {}),
    ...(move
      ? {
          new_room_user_id: user,
          ...(newRoomName.trim() === '' ? {} : { room_name: newRoomName.trim() }),
          ...(message.trim() === '' ? {} : { message: message.trim() }),
        }
      : {}),
  };
}
