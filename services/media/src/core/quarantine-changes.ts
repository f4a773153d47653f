import { Conflict } from '@steward/store';
import type { Deps } from './deps.ts';
import { changeId, positionOf, type QuarantineChange } from './model/quarantine-change.ts';

/** Returns the position of the newest change; 0 for none. */
export async function newestPosition({
  quarantineChanges,
}: Pick<Deps, 'quarantineChanges'>): Promise<number> {
  const newest = await quarantineChanges.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  return newest ? positionOf(newest) : 0;
}

/**
 * Appends the current quarantine of media to the list of changes. Media are read after the newest position, and each
 * position is assigned only once, so the last entry of a medium is correct for any number of concurrent processes. A
 * change may be appended twice.
 */
export async function appendChanges(
  deps: Pick<Deps, 'media' | 'quarantineChanges'>,
  keys: readonly string[],
): Promise<void> {
  let missing = keys;
  while (missing.length > 0) {
    const newest = await newestPosition(deps);
    const found = await deps.media
      .find(
        { _id: { $in: missing } },
        { sort: { _id: 1 }, projection: { origin: 1, media_id: 1, quarantined_by: 1 } },
      )
      .toArray();
    const changes = found.map(
      ({ origin, media_id, quarantined_by }, index): QuarantineChange => ({
        _id: changeId(newest + 1 + index),
        origin,
        media_id,
        quarantined: quarantined_by !== null,
      }),
    );
    const inserted = await insertInOrder(deps, changes);
    missing = found.slice(inserted).map(({ _id }) => _id);
  }
}

/** Inserts changes until a position is in use; returns the number of inserted ones. */
async function insertInOrder(
  { quarantineChanges }: Pick<Deps, 'quarantineChanges'>,
  changes: readonly QuarantineChange[],
): Promise<number> {
  if (changes.length === 0) return 0;
  try {
    return (await quarantineChanges.insertMany(changes)).insertedCount;
  } catch (error) {
    if (error instanceof Conflict) return error.insertedCount ?? 0;
    throw error;
  }
}
