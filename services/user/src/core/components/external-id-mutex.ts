import { KeyedGroups } from '@steward/kernel';

/**
 * Serializes the requests of a process that assign one external id. The unique index decides between them and between processes; but an
 * engine that decides by locks needs seconds for many concurrent requests, because it undoes them one by one.
 */
export interface ExternalIdMutex {
  /**
   * Runs `work` after that of earlier calls with the same external id; at once without one.
   *
   * @param keys see `externalIdKey`
   */
  runExclusive<R>(keys: readonly string[], work: () => Promise<R>): Promise<R>;
}

/** Creates the mutex of a process. */
export function createExternalIdMutex(): ExternalIdMutex {
  const queues = new KeyedGroups<() => Promise<unknown>, unknown>(1);
  return {
    runExclusive<R>(keys: readonly string[], work: () => Promise<R>) {
      // One of several is enough: that two requests meet in another one only is rare, and costs time alone.
      const [first] = keys.toSorted();
      if (first === undefined) return work();
      return queues.call(first, work, async ([next]) => next?.()) as Promise<R>;
    },
  };
}
