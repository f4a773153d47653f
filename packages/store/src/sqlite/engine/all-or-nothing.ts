import type { Connection } from './connection.ts';

/** Changes something inside a transaction; returns a function that undoes the change. */
export type Step = () => () => void;

/**
 * Runs steps inside a transaction. When one throws, undoes those before it. A savepoint would do so, too, but SQLite
 * would copy every page that the steps change, which costs as much as the change.
 *
 * @returns a function that undoes all steps
 */
export function allOrNothing(connection: Connection, steps: readonly Step[]): () => void {
  const undos: (() => void)[] = [];
  const undoAll = () => {
    for (const undo of undos.reverse()) undo();
  };
  try {
    for (const step of steps) undos.push(step());
  } catch (error) {
    // An error such as a full disk ends the whole transaction.
    if (connection.inTransaction) undoAll();
    throw error;
  }
  return undoAll;
}
