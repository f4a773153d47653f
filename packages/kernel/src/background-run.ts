/** Work in the background that is asked for again and again. */
export interface BackgroundRun {
  /** Has the work done soon; has no effect when it is about to be. */
  notify(): void;
  /** Does what can be done now. Failures go to `onFault`, and the next run tries again. */
  run(): Promise<void>;
  /** Waits for the run in progress, and begins no other. */
  close(): Promise<void>;
}

/**
 * Creates work that begins when it is woken, and of which one run is in progress at a time.
 *
 * @param work does all that can be done, as long as `goesOn` returns true
 * @param options `delayMs`: how long what is new is collected before a run, 0 unless given. It does not keep the process alive.
 */
export function backgroundRun(
  work: (goesOn: () => boolean) => Promise<void>,
  { delayMs = 0, onFault }: { readonly delayMs?: number; readonly onFault: (error: unknown) => void },
): BackgroundRun {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  const once = async () => {
    try {
      await work(() => !isClosed);
    } catch (error) {
      if (!isClosed) onFault(error);
    }
  };
  const run = async () => {
    // A run in progress may have passed the newest item.
    await running;
    if (isClosed) return;
    running ??= once().finally(() => {
      running = undefined;
    });
    await running;
  };
  return {
    notify() {
      if (timer || isClosed) return;
      timer = setTimeout(() => {
        timer = undefined;
        void run();
      }, delayMs);
      timer.unref();
    },
    run,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
