import { Conflict, type Doc } from '@steward/store';
import type { Deps } from '../deps.ts';

/** A change of the quarantine in the order in which they are told. Positions have no gaps. */
export interface QuarantineChange extends Doc {
  /** See `changeId`. */
  readonly _id: string;
  readonly origin: string;
  readonly media_id: string;
  readonly quarantined: boolean;
}

/** As many digits as positions have. */
const DIGITS = 16;

/** The id of the change at a position, from 1: ids are in the order of positions. */
export function changeId(position: number): string {
  return String(position).padStart(DIGITS, '0');
}

/** The position of a change. */
export function positionOf({ _id }: Pick<QuarantineChange, '_id'>): number {
  return Number(_id);
}

/** The position of the newest change; 0 for none. */
export async function newestPosition({
  quarantineChanges,
}: Pick<Deps, 'quarantineChanges'>): Promise<number> {
  const newest = await quarantineChanges.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  return newest ? positionOf(newest) : 0;
}

/**
 * Tells how media now stand, behind everything that was told before. Media are looked at after the newest
 * position is known, and a position is taken only once: so what is told last of a medium holds, however many
 * tell of it at the same time. The same may be told twice.
 */
export async function tellChanges(
  deps: Pick<Deps, 'media' | 'quarantineChanges'>,
  keys: readonly string[],
): Promise<void> {
  let untold = keys;
  while (untold.length > 0) {
    const newest = await newestPosition(deps);
    const found = await deps.media
      .find(
        { _id: { $in: untold } },
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
    const told = await insertInOrder(deps, changes);
    untold = found.slice(told).map(({ _id }) => _id);
  }
}

/** Inserts changes until one's position is taken; returns how many were inserted. */
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
