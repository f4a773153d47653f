import { BY_SERVER } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { createDeletion } from './create-deletion.ts';
import { DEFAULT_MESSAGE, DEFAULT_ROOM_NAME } from './deletion.ts';

/** Creates the task that removes an incomplete room, unless one exists. */
export async function abandonRoom(
  deps: Pick<Deps, 'tasks'>,
  { _id: roomId }: Pick<Room, '_id'>,
): Promise<void> {
  const params = {
    version: 1,
    block: false,
    purge: true,
    force: true,
    newRoomUser: null,
    roomName: DEFAULT_ROOM_NAME,
    message: DEFAULT_MESSAGE,
  } as const;
  await createDeletion(deps, roomId, params, BY_SERVER, () => true);
}
