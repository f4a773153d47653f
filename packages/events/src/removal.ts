/** Removes ids in batches, one batch at a time, while the caller adds more. */
export interface Removal {
  /** Removes an id, together with all others that are added during an earlier removal. */
  add(id: string): void;
  /**
   * Waits until all ids are removed.
   *
   * @throws the error of a removal; the ids of that removal and of later ones may still exist
   */
  done(): Promise<void>;
}

/** @param remove removes a batch of ids; calls do not overlap */
export function createRemoval(remove: (ids: readonly string[]) => Promise<unknown>): Removal {
  let waiting: string[] = [];
  let running: Promise<void> | undefined;
  let failed: { readonly error: unknown } | undefined;
  const run = async () => {
    while (waiting.length > 0 && !failed) {
      const ids = waiting;
      waiting = [];
      await remove(ids).catch((error: unknown) => {
        failed = { error };
      });
    }
    running = undefined;
  };
  return {
    add(id) {
      waiting.push(id);
      running ??= run();
    },
    async done() {
      await running;
      if (failed) throw failed.error;
    },
  };
}
