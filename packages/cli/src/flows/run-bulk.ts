import type { StewardError } from '@steward/sdk';
import type { Cli } from '../cli/cli.ts';
import { EXIT, Interrupted } from '../io/exit.ts';
import type { Output } from '../output/output.ts';
import { progressOn } from '../output/progress.ts';

/** What became of one of many. */
export interface Outcome {
  /** What was done, such as `deactivated`; or `skipped`. */
  readonly result: string;
  /** Why it was skipped; null otherwise. */
  readonly note?: string;
}

/** The same work on many, one after the other. */
export interface Bulk<Item> {
  readonly items: readonly Item[];
  /** The column of the ids in the results, such as `user_id`. */
  readonly column: string;
  readonly idOf: (item: Item) => string;
  /** Does the work on one. It is not interrupted, so that it is known what was done. */
  readonly act: (item: Item) => Promise<Outcome>;
  /** What summaries call what was worked on, such as `accounts`. */
  readonly noun: string;
}

const SKIPPED = 'skipped';

/**
 * Works on many, and writes a row for each. Goes on after what fails, but not without a server or a token. Ctrl-C ends it after
 * the one at work. Ends with 5 when some failed, 1 when all did.
 */
export async function runBulk<Item>(cli: Cli, output: Output, bulk: Bulk<Item>): Promise<void> {
  const { items, column, idOf, act, noun } = bulk;
  const progress = progressOn(cli.io);
  const counts = { done: 0, skipped: 0, failed: 0 };
  let end: StewardError | undefined;

  async function* rows() {
    for (const item of items) {
      if (cli.signal.aborted || end !== undefined) return;
      progress.show(counts.done + counts.skipped + counts.failed, items.length, idOf(item));
      const row = await attempt(item);
      progress.clear();
      yield row;
    }
  }

  async function attempt(item: Item): Promise<Record<string, unknown>> {
    const id = idOf(item);
    try {
      const { result, note = null } = await act(item);
      counts[result === SKIPPED ? 'skipped' : 'done'] += 1;
      return { result, [column]: id, note };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The others would fail in the same way.
      if (error.status === 0 || error.status === 401) end = error;
      counts.failed += 1;
      return { result: 'failed', [column]: id, note: `${error.message} (${error.errcode})` };
    }
  }

  const longest = items.reduce((longest, item) => (idOf(item).length > longest.length ? idOf(item) : longest), '');
  const widest = { result: 'would be deactivated', [column]: longest, note: 'x'.repeat(200) };
  await output.rows(rows(), ['result', column, 'note'], [widest]);
  progress.clear();

  const { done, skipped, failed } = counts;
  const left = items.length - done - skipped - failed;
  const parts = [
    `${done} of ${items.length} ${noun} done`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left > 0 ? [`${left} not tried`] : []),
  ];
  await cli.note(`${parts.join(', ')}.`);
  if (end !== undefined && left > 0) await cli.note(`Ended early, because the others would fail, too.`);
  if (cli.signal.aborted && left > 0) {
    await cli.note('Interrupted: the same command goes on with the rest.');
    throw new Interrupted();
  }
  if (failed > 0) cli.exitWith(done + skipped > 0 ? EXIT.partly : EXIT.failed);
}

function isRefusal(error: unknown): error is StewardError {
  return error instanceof Error && error.name === 'StewardError';
}
