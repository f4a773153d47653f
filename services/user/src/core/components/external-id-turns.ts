import { KeyedGroups } from '@steward/kernel';

/**
 * Lets those who assign one external id take turns within the process. The unique index decides between processes; but an engine that
 * decides by locks needs seconds for many who meet, because it undoes them one by one.
 */
export interface ExternalIdTurns {
  /**
   * Runs `work` after that of others with the same external id; at once without one.
   *
   * @param keys see `externalIdKey`
   */
  take<R>(keys: readonly string[], work: () => Promise<R>): Promise<R>;
}

/** Creates the turns of a process. */
export function createExternalIdTurns(): ExternalIdTurns {
  const turns = new KeyedGroups<() => Promise<unknown>, unknown>(1);
  return {
    take<R>(keys: readonly string[], work: () => Promise<R>) {
      // One of several is enough: that two requests meet in another one only is rare, and costs time alone.
      const [first] = keys.toSorted();
      if (first === undefined) return work();
      return turns.call(first, work, async ([next]) => next?.()) as Promise<R>;
    },
  };
}
