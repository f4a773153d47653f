import { Conflict, type Doc, type WriteOptions } from '@steward/store';
import type { Deps } from './deps.ts';
import type { ReportKind } from './model/counter.ts';

/** The number of digits of a key. */
const DIGITS = 16;

/** Returns the key of the report with a number; keys sort in the order of numbers. */
export function reportKey(id: number | bigint): string {
  return String(id).padStart(DIGITS, '0');
}

/** Returns the number of a report. */
export function reportId({ _id }: Doc): bigint {
  return BigInt(_id);
}

/** Returns the key of a new report: its number is greater than all numbers assigned before, by any instance. */
export async function newReportKey({ counters }: Pick<Deps, 'counters'>, kind: ReportKind): Promise<string> {
  const next = () =>
    counters.findOneAndUpdate(
      { _id: kind },
      { $inc: { last: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  const counter = await next().catch((error: unknown) => {
    // Another instance has created the counter concurrently, so the retry finds it.
    if (error instanceof Conflict) return next();
    throw error;
  });
  return reportKey(counter?.last ?? 1);
}

/** Reserves all numbers up to this one, because imported reports have them. */
export async function reserveNumbersUpTo(
  { counters }: Pick<Deps, 'counters'>,
  kind: ReportKind,
  id: number,
  options?: WriteOptions,
): Promise<void> {
  const raise = () => counters.updateOne({ _id: kind }, { $max: { last: id } }, { ...options, upsert: true });
  await raise().catch((error: unknown) => {
    if (error instanceof Conflict) return raise();
    throw error;
  });
}
