import { type BackgroundRun, backgroundRun } from '@steward/kernel';
import {
  type Collection,
  Conflict,
  type Doc,
  type Filter,
  NOT_FLUSHED,
  removeInBatches,
} from '@steward/store';
import type { Deps } from '../deps.ts';
import type { SubjectKind } from '../model/case.ts';
import { reportKey } from '../report-id.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';
import { changeReports, type Markable, reportsByKind } from './change-reports.ts';
import { fileReports } from './file-reports.ts';
import { inboxKey } from './inbox-key.ts';

/** How many reports are filed, and entries removed, at a time. */
const BATCH = 500;

/** How long the mark of a deleted report stays, in milliseconds: longer than a process needs to file or to delete a report. */
const DELETED_KEPT_MS = 60 * 60_000;

/** What filing in the background needs. */
export type FilerDeps = CaseDeps & Pick<Deps, 'counters' | 'report'>;

/** Creates the filer of a process; it begins when it is woken. */
export function createFiler(deps: FilerDeps): BackgroundRun {
  return backgroundRun((goesOn) => fileAll(deps, goesOn), {
    onFault: (error) => deps.report('reports were not filed in the inbox', { error }),
  });
}

/** Applies what crashed processes left to cases, and files all reports that the inbox does not have. It can be interrupted. */
export async function fileAll(deps: FilerDeps, goesOn = () => true): Promise<void> {
  await caseAggregate.sweep(deps);
  await removeDeleted(deps);
  for (const [kind, reports] of reportsByKind(deps)) {
    await fileMarked(deps, kind, reports, goesOn);
    await fileEarlier(deps, kind, reports, goesOn);
  }
}

/**
 * Removes the entries of reports that were deleted. A report that is still there, because the process that deleted it has crashed,
 * is filed again, so that the inbox and the documented lists agree.
 */
async function removeDeleted(deps: FilerDeps): Promise<void> {
  await removeInBatches(
    deps.inbox,
    { deleted_ts: { $lt: deps.clock.now() - DELETED_KEPT_MS } },
    {
      sort: { deleted_ts: 1 },
      size: BATCH,
      options: NOT_FLUSHED,
      before: (keys) => changeReports(deps, keys, {}, { $set: { unfiled: true } }),
    },
  );
}

/** Files the reports that say that they are not filed. */
async function fileMarked(
  deps: FilerDeps,
  kind: SubjectKind,
  reports: Collection<Markable>,
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    const found = await reports
      .find({ unfiled: true }, { limit: BATCH, projection: { _id: 1 } as object })
      .toArray();
    await fileReports(deps, keysOf(kind, found));
    if (found.length < BATCH) return;
  }
}

/** Files the reports from before there was an inbox, which say nothing: in the order of their numbers, each time from where it stopped. */
async function fileEarlier(
  deps: FilerDeps,
  kind: SubjectKind,
  reports: Collection<Markable>,
  goesOn: () => boolean,
): Promise<void> {
  const { counters } = deps;
  const _id = `filed_${kind}_reports`;
  let last = (await counters.findOne({ _id }))?.last ?? 0;
  while (goesOn()) {
    const after: Filter<Markable> = { _id: { $gt: reportKey(last) } };
    const found = await reports
      .find(after, { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } as object })
      .toArray();
    const newest = found.at(-1);
    if (!newest) return;
    await fileReports(deps, keysOf(kind, found));
    last = Number(newest._id);
    await counters
      .updateOne({ _id }, { $max: { last } }, { ...NOT_FLUSHED, upsert: true })
      .catch((error: unknown) => {
        // Another process has begun, too; the next batch finds its document.
        if (!(error instanceof Conflict)) throw error;
      });
    if (found.length < BATCH) return;
  }
}

function keysOf(kind: SubjectKind, found: readonly Doc[]): readonly string[] {
  return found.map(({ _id }) => inboxKey(kind, Number(_id)));
}
