/** Removes things while others are found to be removed. */
export interface Removal {
  /** Has a thing removed, together with all others that come while an earlier removal goes on. */
  add(id: string): void;
  /**
   * Waits until everything is removed.
   *
   * @throws what a removal threw; what was to be removed then, or later, may be there
   */
  done(): Promise<void>;
}

/** @param remove takes a few things at a time, one call after the other */
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
