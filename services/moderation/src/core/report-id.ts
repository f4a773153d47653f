import { Conflict, type Doc } from '@steward/store';
import type { Deps } from './deps.ts';
import type { ReportKind } from './model/counter.ts';

/** As many digits as keys have. */
const DIGITS = 16;

/** The key of the report with a number: keys are in the order of numbers. */
export function reportKey(id: number | bigint): string {
  return String(id).padStart(DIGITS, '0');
}

/** The number of a report. */
export function reportId({ _id }: Doc): bigint {
  return BigInt(_id);
}

/** The key of a new report: its number is greater than all that were given before, by whichever instance. */
export async function newReportKey({ counters }: Pick<Deps, 'counters'>, kind: ReportKind): Promise<string> {
  const next = () =>
    counters.findOneAndUpdate(
      { _id: kind },
      { $inc: { last: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  const counter = await next().catch((error: unknown) => {
    // Two counted from nothing at once; now there is something.
    if (error instanceof Conflict) return next();
    throw error;
  });
  return reportKey(counter?.last ?? 1);
}

/** Lets no number up to this one be given any more, because reports with them came from elsewhere. */
export async function passOver(
  { counters }: Pick<Deps, 'counters'>,
  kind: ReportKind,
  id: number,
): Promise<void> {
  const raise = () => counters.updateOne({ _id: kind }, { $max: { last: id } }, { upsert: true });
  await raise().catch((error: unknown) => {
    if (error instanceof Conflict) return raise();
    throw error;
  });
}
