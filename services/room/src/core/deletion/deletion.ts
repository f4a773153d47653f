import type { Task } from '@steward/tasks';

/** The name of tasks that delete a room; their key is the room id. */
export const DELETE_ROOM = 'room.delete';

/** The step of a deletion from which on the room is nowhere to be seen. */
export const PURGING = 'purging';

/** Name and first message of the room into which everybody is moved, unless the request has others. */
export const DEFAULT_ROOM_NAME = 'Content Violation Notification';
export const DEFAULT_MESSAGE =
  'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.';

/** What a deletion is asked for with. */
export interface DeletionParams {
  /** Which version of the endpoint asked: only the second one tells how far it has come. */
  readonly version: 1 | 2;
  readonly block: boolean;
  readonly purge: boolean;
  readonly force: boolean;
  /** Who creates the room into which everybody is moved; null for none. */
  readonly newRoomUser: string | null;
  readonly roomName: string;
  readonly message: string;
}

/** The parameters of a deletion. */
export function paramsOf({ params }: Task): DeletionParams {
  return JSON.parse(params) as DeletionParams;
}
