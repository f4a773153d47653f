import { say } from './say.ts';

/** How long work takes before its progress is shown, and the shortest interval between two lines, in milliseconds. */
const INTERVAL_MS = 2_000;

const MS_PER_SECOND = 1_000;

/** Work of which a line is shown while it takes long. */
export interface Shown {
  /** Shows the line if it is due. A timer does it, too, but not while the process is busy. */
  update(): void;
  /** Shows nothing more. */
  stop(): void;
  /** Shows the line a last time if it was shown before, and nothing more. */
  end(): void;
}

/** What a process passes for the time and the terminal. */
export interface ShowOptions {
  /** Prints a line; to standard error unless given. */
  readonly print?: (line: string) => void;
  /** A monotonic time, in milliseconds. */
  readonly now?: () => number;
}

/** Shows a line about work that takes longer than two seconds, every two seconds. */
export function showMeanwhile(
  line: (elapsedMs: number) => string,
  { print = say, now = () => performance.now() }: ShowOptions = {},
): Shown {
  const began = now();
  let due = began + INTERVAL_MS;
  let isShown = false;
  const show = () => print(line(now() - began));
  const update = () => {
    if (now() < due) return;
    due = now() + INTERVAL_MS;
    isShown = true;
    show();
  };
  const timer = setInterval(update, INTERVAL_MS).unref();
  const stop = () => clearInterval(timer);
  return {
    update,
    stop,
    end() {
      stop();
      if (isShown) show();
    },
  };
}

/** How many per second, as a whole number. */
export function rateOf(count: number, elapsedMs: number): number {
  return Math.round((count * MS_PER_SECOND) / Math.max(elapsedMs, 1));
}

/** A part of the work of a command. */
export interface Step {
  /** Counts one more, or several. */
  add(count?: number): void;
  /** Says how many are done, and of how many. */
  set(done: number, of: number): void;
}

/**
 * Carries out a part of the work of a command, and shows its progress while it takes long.
 *
 * @param what names what is counted, or the work where nothing is
 * @param of how many there are, where that is known
 */
export type Progress = <T>(what: string, work: (step: Step) => Promise<T>, of?: number) => Promise<T>;

/** Shows nothing. */
export const noProgress: Progress = (_what, work) => work({ add() {}, set() {} });

/** Shows the progress of the command with this name. */
export function progressOf(name: string, options?: ShowOptions): Progress {
  return async (what, work, of) => {
    let done = 0;
    let total = of;
    const shown = showMeanwhile((elapsedMs) => {
      const much = total === undefined ? `${done}` : `${done} of ${total}`;
      const far =
        done === 0 ? `${Math.round(elapsedMs / MS_PER_SECOND)} s` : `${much}, ${rateOf(done, elapsedMs)}/s`;
      return `${name}: ${what}: ${far}`;
    }, options);
    const set = (now: number) => {
      done = now;
      shown.update();
    };
    try {
      const result = await work({
        add: (count = 1) => set(done + count),
        set(now, ofNow) {
          total = ofNow;
          set(now);
        },
      });
      shown.end();
      return result;
    } finally {
      shown.stop();
    }
  };
}

/** The values, each of which is counted when it is taken. */
export async function* counted<T>(values: AsyncIterable<T> | Iterable<T>, step: Step): AsyncGenerator<T> {
  for await (const value of values) {
    step.add();
    yield value;
  }
}
