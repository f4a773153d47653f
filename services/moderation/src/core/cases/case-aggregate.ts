import { writePayload } from '@steward/feed';
import { ReportResolvedSchema } from '@steward/proto/steward/feed/v1/reports_pb.ts';
import { defineAggregate } from '@steward/service';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import { eventId } from '../feed/feed-event.ts';
import type { CaseEffect, ReportCase } from '../model/case.ts';
import type { InboxEntry } from '../model/inbox-entry.ts';
import { beginActions } from './begin-actions.ts';
import type { CaseDeps } from './case-deps.ts';
import { readFiledReports } from './filed-report.ts';
import { newCase } from './new-case.ts';
import { notifyReporters } from './notify-reporters.ts';
import { caseFacet } from './subject.ts';

/** How many entries of the inbox are changed at a time. */
const BATCH = 500;

/** The aggregate of cases. What moderators change has its event from the audit log; what the server changes has an effect. */
export const caseAggregate = defineAggregate<ReportCase, CaseEffect, CaseDeps>({
  collection: (deps) => deps.cases,
  effects: {
    filed: (deps, document, effects) =>
      fileEntries(
        deps,
        document,
        effects.map(({ report }) => report),
      ),
    withdrawn: (deps, { _id: caseId }, effects) =>
      withdrawEntries(
        deps,
        caseId,
        effects.map(({ report }) => report),
      ),
    spread: (deps, document) => copyToInbox(deps, document),
    followed: (deps, document) => createNextCase(deps, document),
    async closed({ feedAppender }, { _id, kind, outcome }, effects) {
      for (const { id, actor, ts } of effects)
        await feedAppender.append({
          id: eventId(`report.resolved.${id}`),
          type: 'report.resolved',
          time: ts,
          actor,
          requestId: null,
          taskId: null,
          targets: [caseName(_id)],
          data: writePayload(ReportResolvedSchema, { caseId: _id, kind, outcome: outcome ?? '' }),
        });
    },
    async ordered(deps, document, effects) {
      for (const { resolution } of effects) await beginActions(deps, document, resolution);
    },
    async notify(deps, document, effects) {
      for (const { resolution } of effects) await notifyReporters(deps, document, resolution);
    },
  },
});

/** How the audit log and the feed name a case. */
export function caseName(id: string): string {
  return `report:${id}`;
}

/** What entries of the inbox have of their case. */
function copiesOf({ _id, version, state, kind, severity, assignee }: ReportCase) {
  const facet = caseFacet({ state, kind, severity, assignee });
  return { case: _id, case_version: version, state, severity, assignee, facet } as const;
}

/**
 * Writes the entries of reports that a case has counted. An entry that is there stays: a later version may have written it. A report
 * that is gone had its entry before it was deleted.
 */
async function fileEntries(deps: CaseDeps, document: ReportCase, keys: readonly string[]): Promise<void> {
  const reports = await readFiledReports(deps, keys);
  if (reports.length === 0) return;
  const entries = reports.map((report): InboxEntry => ({ ...report, ...copiesOf(document) }));
  await deps.inbox.insertMany(entries, { ...NOT_FLUSHED, ordered: false }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });
}

/** Marks the entries of deleted reports; a sweep removes them. */
async function withdrawEntries(
  { clock, inbox }: CaseDeps,
  caseId: string,
  keys: readonly string[],
): Promise<void> {
  await inbox.updateMany(
    { _id: { $in: keys }, case: caseId },
    { $set: { case: null, state: 'deleted', facet: 'deleted', deleted_ts: clock.now() } },
    NOT_FLUSHED,
  );
}

/** Brings the copies in the inbox up to a version of the case. What has copies of a later version stays. */
async function copyToInbox({ inbox }: CaseDeps, document: ReportCase): Promise<void> {
  const copies = copiesOf(document);
  const { _id: of, version } = document;
  for (;;) {
    const behind = await inbox
      .find({ case: of, case_version: { $lt: version } }, { limit: BATCH, projection: { _id: 1 } })
      .toArray();
    const ids = behind.map(({ _id }) => _id);
    if (ids.length > 0)
      await inbox.updateMany(
        { _id: { $in: ids }, case: of, case_version: { $lt: version } },
        { $set: copies },
        NOT_FLUSHED,
      );
    if (behind.length < BATCH) return;
  }
}

/** Creates the case that follows, unless another process has. */
async function createNextCase(deps: CaseDeps, document: ReportCase): Promise<void> {
  if (document.next_case === null) return;
  try {
    await caseAggregate.create(deps, newCase(document, document.number + 1, deps.clock.now()));
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
