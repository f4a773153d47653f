import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { rooms } from './rooms.ts';

/**
 * Loads a room after applying its pending effects, so that events, state and members are as of its `arrival` or newer;
 * `undefined` for an unknown room.
 */
export function loadRoom(deps: Deps, roomId: string): Promise<Room | undefined> {
  return rooms.load(deps, roomId);
}

/**
 * Loads a room that must exist.
 *
 * @throws refuse.notFound
 */
export async function existingRoom(deps: Deps, roomId: string): Promise<Room> {
  const room = await rooms.load(deps, roomId);
  if (!room) throw refuse.notFound('Room not found');
  return room;
}
