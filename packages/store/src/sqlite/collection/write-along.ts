import type { WritesAlong } from '../../port/collection.ts';
import { allOrNothing } from '../engine/all-or-nothing.ts';
import type { Connection } from '../engine/connection.ts';

/**
 * Writes documents of other collections and makes a change, inside an open transaction; nothing when any of it throws.
 *
 * @returns what `change` returned
 */
export function writeAlong<R>(connection: Connection, along: readonly WritesAlong[], change: () => R): R {
  if (along.length === 0) return change();
  let changed: R | undefined;
  // The last step, so that it is never undone.
  const last = () => {
    changed = change();
    return () => {};
  };
  allOrNothing(connection, [...along.map(({ run }) => run), last]);
  return changed as R;
}
