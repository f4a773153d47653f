import type { StewardError } from '@steward/sdk';
import type { Cli } from '../cli/cli.ts';
import { EXIT, Interrupted } from '../io/exit.ts';
import { isRefusal } from '../io/refusal.ts';
import type { Output } from '../output/output.ts';
import { progressOn } from '../output/progress.ts';

/** The outcome of one of many. */
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

const FAILED = 'failed';

/**
 * Works on many, and writes a row for each. Goes on after what fails, but not without a server or a token. Ctrl-C ends it after
 * the one at work. Ends with 5 when some failed, 1 when all did.
 */
export async function runBulk<Item>(cli: Cli, output: Output, bulk: Bulk<Item>): Promise<void> {
  const { items, column, idOf, act, noun } = bulk;
  const progress = progressOn(cli.io);
  /** How many had which result. */
  const counts = new Map<string, number>();
  const count = (result: string) => counts.set(result, countOf(result) + 1);
  const countOf = (result: string) => counts.get(result) ?? 0;
  const tried = () => [...counts.values()].reduce((sum, each) => sum + each, 0);
  let end: StewardError | undefined;

  async function* rows() {
    for (const item of items) {
      if (cli.signal.aborted || end !== undefined) return;
      progress.show(tried(), items.length, idOf(item));
      const row = await attempt(item);
      progress.clear();
      yield row;
    }
  }

  async function attempt(item: Item): Promise<Record<string, unknown>> {
    const id = idOf(item);
    try {
      const { result, note = null } = await act(item);
      count(result);
      return { result, [column]: id, note };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The others would fail in the same way.
      if (error.status === 0 || error.status === 401) end = error;
      count(FAILED);
      return { result: FAILED, [column]: id, note: `${error.message} (${error.errcode})` };
    }
  }

  const longest = items.reduce(
    (longest, item) => (idOf(item).length > longest.length ? idOf(item) : longest),
    '',
  );
  const widest = { result: 'would be deactivated', [column]: longest, note: 'x'.repeat(200) };
  await output.rows(rows(), ['result', column, 'note'], [widest]);
  progress.clear();

  if (items.length === 0) return;
  const left = items.length - tried();
  const parts = [...counts].map(([result, times]) => `${times} ${result}`);
  await cli.note(
    `${[...parts, ...(left > 0 ? [`${left} not tried`] : [])].join(', ')} of ${items.length} ${noun}.`,
  );
  if (end !== undefined && left > 0) await cli.note('Ended early, because the others would fail, too.');
  if (cli.signal.aborted && left > 0) {
    await cli.note('Interrupted: the same command goes on with the rest.');
    throw new Interrupted();
  }
  if (countOf(FAILED) > 0) cli.exitWith(countOf(FAILED) < tried() ? EXIT.partly : EXIT.failed);
}
