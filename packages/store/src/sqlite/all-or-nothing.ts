import type { Connection } from './connection.ts';

/** Does something inside a transaction; returns what takes it back. */
export type Step = () => () => void;

/**
 * Takes steps inside a transaction. When one throws, those before it are taken back; a savepoint would do so, too, and
 * have SQLite keep a copy of every page that they change, which costs as much as the change.
 *
 * @returns takes them all back
 */
export function allOrNothing(connection: Connection, steps: readonly Step[]): () => void {
  const taken: (() => void)[] = [];
  const takeBack = () => {
    for (const undo of taken.reverse()) undo();
  };
  try {
    for (const step of steps) taken.push(step());
  } catch (error) {
    // A full disk, for one, ends the transaction as a whole.
    if (connection.inTransaction) takeBack();
    throw error;
  }
  return takeBack;
}
