import { type Change, commit, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { loadRoom } from './load-room.ts';

/** How long a change is decided anew while others change the same room. */
const CONFLICT_DEADLINE_MS = 20_000;

/**
 * Changes a room, but for its events, which `append` adds.
 *
 * @param decide looks at the room, on which no effects are pending; called again when others were quicker. Returns
 * `undefined` to change nothing
 * @returns the room as it is then; `undefined` when it does not exist
 */
export async function changeRoom(
  deps: Deps,
  roomId: string,
  decide: (room: Room) => Change<Room> | undefined,
): Promise<Room | undefined> {
  const { clock, random } = deps;
  return retryOnConflict(
    async () => {
      const room = await loadRoom(deps, roomId);
      const change = room && decide(room);
      return change ? commit(deps.rooms, room, change) : room;
    },
    { deadlineMs: clock.now() + CONFLICT_DEADLINE_MS, clock, random },
  );
}
