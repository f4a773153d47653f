import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import type { DeletionPart } from './deletion.ts';

/** Aliases that are moved with one update. */
const BATCH = 100;

/** The number of the first part of the outcome that has aliases: greater than those of all parts with members. */
const FIRST_PART = 2 ** 40;

/** The progress of a deletion through aliases. */
export interface AliasesCursor {
  /** The number of the next part of the outcome. */
  readonly part: number;
  /** The aliases being moved; stored, because a query no longer finds those already moved. */
  readonly batch?: readonly string[];
}

/** Moves the aliases of a room to the new one; the administrator who deletes the room becomes their creator. */
export async function moveAliases(
  deps: Deps,
  task: RunningTask<unknown, AliasesCursor>,
  newRoomId: string,
): Promise<void> {
  for (let { part, batch }: AliasesCursor = task.cursor() ?? { part: FIRST_PART }; ; part++) {
    if (!batch) {
      const found = await deps.aliases
        .find({ room_id: task.key }, { projection: { _id: 1 }, limit: BATCH })
        .toArray();
      if (found.length === 0) return;
      batch = found.map(({ _id }) => _id);
      await task.save({ cursor: { part, batch } });
    }
    await deps.aliases.updateMany(
      { _id: { $in: batch }, room_id: task.key },
      { $set: { room_id: newRoomId, creator: task.requestedBy } },
    );
    await task.addPart(part, { aliases: batch } satisfies DeletionPart);
    await task.save({ cursor: { part: part + 1 } });
    batch = undefined;
  }
}
