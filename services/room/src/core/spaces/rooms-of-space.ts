import { loadRoom } from '../aggregate/load-room.ts';
import type { Deps } from '../deps.ts';
import { childrenOfSpace } from './children-of-space.ts';

/** The room type of spaces. */
export const SPACE = 'm.space';

/** The most rooms of a space that are found. */
const MAX_ROOMS = 10_000;

/** The most children that are remembered to be looked at: those of one space are bounded by its state only. */
const MAX_WAITING = 100_000;

/** The ids of a space, of the rooms in it and of those in its spaces, each once; those that this server knows, at most 10,000. */
export async function roomsOfSpace(deps: Deps, spaceId: string): Promise<readonly string[]> {
  const found: string[] = [];
  const seen = new Set([spaceId]);
  const waiting = [spaceId];
  for (let roomId = waiting.pop(); roomId !== undefined && found.length < MAX_ROOMS; roomId = waiting.pop()) {
    const room = await loadRoom(deps, roomId);
    if (!room) continue;
    found.push(roomId);
    const children = room.room_type === SPACE ? await childrenOfSpace(deps, room) : [];
    for (const child of children.toReversed()) {
      if (seen.size === MAX_WAITING) break;
      if (seen.has(child.roomId)) continue;
      seen.add(child.roomId);
      waiting.push(child.roomId);
    }
  }
  return found;
}
