import type { Doc } from '@steward/store';
import type { SubjectKind } from '../model/case.ts';
import { reportId } from '../report-id.ts';
import type { CaseDeps } from './case-deps.ts';
import { inboxKey, parseInboxKey } from './inbox-key.ts';

/** What a reporter said. */
export interface Comment {
  readonly reason: string | null;
  readonly score?: number | null;
}

/** Reads what the reporters said, by the keys of the reports in the inbox; those that were deleted are left out. */
export async function readComments(
  { eventReports, mediaReports, roomReports, userReports }: CaseDeps,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Comment>> {
  const ids = Map.groupBy(
    keys.flatMap((key) => parseInboxKey(key) ?? []),
    ({ kind }) => kind,
  );
  const read = async (
    kind: SubjectKind,
    find: (filter: { _id: { $in: readonly string[] } }) => { toArray(): Promise<readonly (Doc & Comment)[]> },
  ) => {
    const chosen = ids.get(kind)?.map(({ report }) => report) ?? [];
    const found = chosen.length === 0 ? [] : await find({ _id: { $in: chosen } }).toArray();
    return found.map((report) => [inboxKey(kind, reportId(report)), report] as const);
  };
  const all = await Promise.all([
    read('event', (filter) => eventReports.find(filter)),
    read('user', (filter) => userReports.find(filter)),
    read('room', (filter) => roomReports.find(filter)),
    read('media', (filter) => mediaReports.find(filter)),
  ]);
  return new Map(all.flat());
}
