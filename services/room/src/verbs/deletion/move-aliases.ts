import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import type { DeletionPart } from './deletion.ts';
import type { DeletionCursor } from './empty-room.ts';

/** Aliases that are moved with one update. */
const BATCH = 100;

/** Moves the aliases of a room to the new one; the administrator who deletes the room becomes their creator. */
export async function moveAliases(deps: Deps, task: RunningTask, newRoomId: string): Promise<void> {
  for (let { part, batch }: DeletionCursor = task.cursor<DeletionCursor>() ?? { part: 0 }; ; part++) {
    if (!batch) {
      const found = await deps.aliases
        .find({ room_id: task.key }, { projection: { _id: 1 }, limit: BATCH })
        .toArray();
      if (found.length === 0) return;
      batch = found.map(({ _id }) => _id);
      await task.save({ cursor: { part, batch } satisfies DeletionCursor });
    }
    await deps.aliases.updateMany(
      { _id: { $in: batch }, room_id: task.key },
      { $set: { room_id: newRoomId, creator: task.requestedBy } },
    );
    await task.addPart(part, { aliases: batch } satisfies DeletionPart);
    await task.save({ cursor: { part: part + 1 } satisfies DeletionCursor });
    batch = undefined;
  }
}
