import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { rooms } from './rooms.ts';

/**
 * Blocks a room: from now on no user enters it (behaviour.md 10.8), not even by a commit that was decided before. The
 * block keeps the first administrator who blocked the room.
 */
export async function blockRoom(deps: Deps, roomId: string, userId: string): Promise<void> {
  await deps.blocks.insertOne({ _id: roomId, user_id: userId }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
  // Increments the version, so that a commit decided before fails, and is decided again with the block.
  await rooms.change(deps, roomId, () => ({}));
}

/** Removes the block of a room, if there is one. */
export async function unblockRoom(deps: Pick<Deps, 'blocks'>, roomId: string): Promise<void> {
  await deps.blocks.deleteOne({ _id: roomId });
}
