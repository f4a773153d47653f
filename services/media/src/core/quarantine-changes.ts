import { Conflict } from '@steward/store';
import type { Deps } from './deps.ts';
import { changeId, numberOf, type QuarantineChange } from './model/quarantine-change.ts';
import { UPLOAD_ORDER } from './same-content.ts';

/** Returns the number of the newest change; 0 for none. */
export async function newestNumber({ quarantineChanges }: Pick<Deps, 'quarantineChanges'>): Promise<number> {
  const newest = await quarantineChanges.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  return newest ? numberOf(newest) : 0;
}

/**
 * Appends the current quarantine of media to the list of changes, in the order of their upload. Media are read after the
 * newest number, and each number is assigned only once, so the last entry of a medium is correct for any number of
 * concurrent processes. A change may be appended twice.
 */
export async function appendChanges(
  deps: Pick<Deps, 'media' | 'quarantineChanges'>,
  keys: readonly string[],
): Promise<void> {
  let missing = keys;
  while (missing.length > 0) {
    const newest = await newestNumber(deps);
    const found = await deps.media
      .find(
        { _id: { $in: missing } },
        { sort: UPLOAD_ORDER, projection: { origin: 1, media_id: 1, quarantined_by: 1 } },
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

/** Inserts changes until a number is in use; returns the number of inserted ones. */
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
