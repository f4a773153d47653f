import type { Io } from '../io/io.ts';
import { cut } from './table.ts';
import { visibleLine } from './visible.ts';

/** The progress of something that takes long: a line on the terminal that is rewritten, and nothing elsewhere. */
export interface Progress {
  /**
   * Shows how far it is.
   *
   * @param total null when it is not known
   */
  show(done: number, total: number | null, label: string): void;
  /** Removes the line; call it before anything else is written. */
  clear(): void;
}

const BAR_WIDTH = 20;
const ERASE_LINE = '\r\u001b[K';

/** Returns the progress of a command, on the standard error. */
export function progressOn({ stderr, env }: Pick<Io, 'stderr' | 'env'>): Progress {
  const { stream, isTerminal, columns = 80 } = stderr;
  if (!isTerminal || env.TERM === 'dumb') return { show: () => undefined, clear: () => undefined };
  let isShown = false;
  return {
    show(done, total, label) {
      const count = total === null ? `${done}` : `${done}/${total}`;
      const text = `${total === null ? '' : `${barOf(done, total)} `}${count} ${visibleLine(label)}`;
      // A longer line would break, and could not be rewritten.
      stream.write(`${ERASE_LINE}${cut(text, columns - 1)}`);
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(ERASE_LINE);
      isShown = false;
    },
  };
}

function barOf(done: number, total: number): string {
  const part = total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
  const full = Math.round(part * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}
