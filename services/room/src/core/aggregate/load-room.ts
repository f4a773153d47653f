import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { settleRoom } from './apply-pending.ts';

/**
 * A room, after everything that its commits owe has been done: events, state and members are then as they
 * were at its `arrival`, or newer. `undefined` for an unknown one.
 */
export async function loadRoom(deps: Deps, roomId: string): Promise<Room | undefined> {
  const room = await deps.rooms.findOne({ _id: roomId });
  return room ? settleRoom(deps, room) : undefined;
}

/**
 * A room that exists.
 *
 * @throws refuse.notFound
 */
export async function existingRoom(deps: Deps, roomId: string): Promise<Room> {
  const room = await loadRoom(deps, roomId);
  if (!room) throw refuse.notFound('Room not found');
  return room;
}
