import { randomId } from '@steward/kernel';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { isBlocking } from '../model/block.ts';
import { facetAfter } from '../model/room-facet.ts';
import { rooms } from './rooms.ts';

/** The unsettled blocks that a sweep reads together. */
const BATCH = 100;

/**
 * Blocks a room: from now on no user enters it (behaviour.md 10.8), not even by a commit that was decided before. The
 * block keeps the first administrator who blocked the room.
 */
export async function blockRoom(deps: Deps, roomId: string, userId: string): Promise<void> {
  const unsettled = randomId(deps.random);
  const block = { user_id: userId, blocked_ts: deps.clock.now(), unsettled };
  await deps.blocks.insertOne({ _id: roomId, ...block }).catch(async (error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    // The room is blocked, or the block that it had is about to be deleted.
    await deps.blocks.updateOne({ _id: roomId, user_id: { $exists: false } }, { $set: block });
  });
  await applyBlock(deps, roomId);
}

/** Removes the block of a room, if there is one. */
export async function unblockRoom(deps: Deps, roomId: string): Promise<void> {
  const { matchedCount } = await deps.blocks.updateOne(
    { _id: roomId, user_id: { $exists: true } },
    { $set: { unsettled: randomId(deps.random) }, $unset: { user_id: true, blocked_ts: true } },
  );
  if (matchedCount > 0) await applyBlock(deps, roomId);
}

/** Removes the blocks of rooms. */
export async function unblockRooms(deps: Deps, roomIds: readonly string[]): Promise<void> {
  for (const roomId of roomIds) await unblockRoom(deps, roomId);
}

/** Settles the blocks whose rooms may not show them, because a process crashed. */
export async function sweepBlocks(deps: Deps): Promise<void> {
  for (let after = ''; ; ) {
    const some = await deps.blocks
      .find({ unsettled: { $gt: after } }, { sort: { unsettled: 1 }, limit: BATCH })
      .toArray();
    for (const { _id } of some) await applyBlock(deps, _id);
    const { unsettled } = some.at(-1) ?? {};
    if (unsettled === undefined) return;
    after = unsettled;
  }
}

/**
 * Makes the document of a room, if it exists, say whether the room is blocked. It reads the block after the room, and its
 * commit fails if the room has changed since: so of several at once the last commit has the last block.
 */
export async function applyBlock(deps: Deps, roomId: string): Promise<void> {
  const change = await deps.blocks.findOne({ _id: roomId });
  await rooms.change(deps, roomId, async (room) => {
    const blocked = isBlocking(await deps.blocks.findOne({ _id: roomId }));
    // Increments the version in any case, so that a commit decided before fails, and is decided again with the block.
    return { set: { blocked, ...facetAfter(room, { blocked }) } };
  });
  if (change?.unsettled === undefined) return;
  // Unless the block has changed since: that change settles it.
  const same = { _id: roomId, unsettled: change.unsettled };
  if (isBlocking(change)) await deps.blocks.updateOne(same, { $unset: { unsettled: true } });
  else await deps.blocks.deleteOne(same);
}
