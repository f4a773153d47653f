import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { rooms } from './rooms.ts';

/**
 * A room, after the effects of its commits were applied: events, state and members are then as they were at its
 * `arrival`, or newer. `undefined` for an unknown one.
 */
export function loadRoom(deps: Deps, roomId: string): Promise<Room | undefined> {
  return rooms.load(deps, roomId);
}

/**
 * A room that exists.
 *
 * @throws refuse.notFound
 */
export async function existingRoom(deps: Deps, roomId: string): Promise<Room> {
  const room = await rooms.load(deps, roomId);
  if (!room) throw refuse.notFound('Room not found');
  return room;
}
