import { type Collection, type Doc, type Filter, NOT_FLUSHED, type Update } from '@steward/store';
import type { SubjectKind } from '../model/case.ts';
import type { CaseDeps } from './case-deps.ts';
import { parseInboxKey } from './inbox-key.ts';

/** A report of any kind, as far as filing changes it. */
export interface Markable extends Doc {
  readonly unfiled?: true;
}

/** The collection of each kind of report. */
export function reportsByKind(deps: CaseDeps): ReadonlyMap<SubjectKind, Collection<Markable>> {
  const of = <T extends Markable>(reports: Collection<T>) => reports as unknown as Collection<Markable>;
  return new Map([
    ['event', of(deps.eventReports)],
    ['user', of(deps.userReports)],
    ['room', of(deps.roomReports)],
    ['media', of(deps.mediaReports)],
  ]);
}

/**
 * Changes the documented reports of some keys of the inbox.
 *
 * @param only which of them are changed
 */
export async function changeReports(
  deps: CaseDeps,
  keys: readonly string[],
  only: Filter<Markable>,
  update: Update<Markable>,
): Promise<void> {
  const collections = reportsByKind(deps);
  const byKind = Map.groupBy(
    keys.flatMap((key) => parseInboxKey(key) ?? []),
    ({ kind }) => kind,
  );
  for (const [kind, parsed] of byKind) {
    const among = { _id: { $in: parsed.map(({ report }) => report) } };
    await collections.get(kind)?.updateMany({ ...only, ...among }, update, NOT_FLUSHED);
  }
}
