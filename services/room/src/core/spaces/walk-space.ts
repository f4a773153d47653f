import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';
import { loadRoom } from '../aggregate/load-room.ts';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { type ChildOfSpace, childrenOfSpace } from './children-of-space.ts';
import { SPACE } from './rooms-of-space.ts';

/** The rooms below a space to list. */
export interface SpaceWalk {
  readonly roomId: string;
  /** How far below the space; unlimited when undefined. */
  readonly maxDepth: number | undefined;
  /** The most rooms of a page. */
  readonly limit: number;
  /** The most rooms of the hierarchy: every page visits the rooms of the pages before it again. */
  readonly maxRooms: number;
  /** The token of the page, which belongs to the same walk. */
  readonly from: string | undefined;
  /** Whether only children are followed that their space suggests. */
  readonly suggestedOnly: boolean;
  /** Whether a room is listed; the children of one that is not are not followed. */
  readonly isShown: (room: Room) => boolean | Promise<boolean>;
}

/** A room of a hierarchy, with its children. */
export interface RoomInSpace {
  readonly room: Room;
  readonly children: readonly ChildOfSpace[];
}

/**
 * A page of the rooms below a space, depth first, each once; without rooms that are unknown to this server.
 *
 * @throws refuse.invalidParam for a token of another walk
 */
export async function walkSpace(
  deps: Deps,
  walk: SpaceWalk,
): Promise<{ readonly rooms: readonly RoomInSpace[]; readonly nextBatch?: string }> {
  const { roomId, maxDepth, limit, maxRooms, suggestedOnly, isShown } = walk;
  const query = JSON.stringify([roomId, maxDepth ?? null, ...(suggestedOnly ? [true] : [])]);
  const from = walk.from === undefined ? 0 : readToken(walk.from, query);
  const rooms: RoomInSpace[] = [];
  const visited = new Set<string>();
  const waiting = [{ roomId, depth: 0 }];
  let passed = 0;
  for (;;) {
    const visit = waiting.pop();
    if (!visit) return { rooms };
    if (visited.has(visit.roomId)) continue;
    visited.add(visit.roomId);
    const room = await loadRoom(deps, visit.roomId);
    if (!room || !(await isShown(room))) continue;
    if (passed >= from && rooms.length === limit)
      return { rooms, nextBatch: writeListToken([passed, query]) };
    const all = room.room_type === SPACE ? await childrenOfSpace(deps, room) : [];
    const children = suggestedOnly ? all.filter(({ suggested }) => suggested) : all;
    if (passed >= from) rooms.push({ room, children });
    passed++;
    if (passed === maxRooms) return { rooms };
    if (maxDepth !== undefined && visit.depth >= maxDepth) continue;
    // Pushed in reverse, so that the first child is visited next.
    for (const { roomId: child } of children.toReversed())
      waiting.push({ roomId: child, depth: visit.depth + 1 });
  }
}

/** A token holds the number of rooms returned so far, and the query. */
function readToken(token: string, query: string): number {
  const [passed, of] = readListToken(token);
  if (of !== query || !Number.isSafeInteger(passed) || (passed as number) < 0)
    throw refuse.invalidParam(
      "'from' belongs to another query: repeat the query of which it is the next page",
    );
  return passed as number;
}
