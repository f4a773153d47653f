import type { NewEffect } from '@steward/service';
import type { CaseEffect, CaseResolution, ReportCase } from '../model/case.ts';
import { MAX_HISTORY } from '../model/case.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';
import { fileReports } from './file-reports.ts';
import { caseFacet } from './subject.ts';

const ALL_DELETED = 'All of its reports were deleted';

/**
 * Removes a report from the inbox and from its case, before the report itself is deleted. A case without reports is resolved as
 * dismissed. It is idempotent.
 *
 * @param key the key of the report in the inbox
 * @param by who deletes it, see `Requester.owner`
 */
export async function withdrawReport(deps: CaseDeps, key: string, by: string): Promise<void> {
  const { clock, inbox } = deps;
  // A report that is not filed yet would otherwise be filed later.
  await fileReports(deps, [key]);
  const filed = await inbox.findOne({ _id: key });
  if (typeof filed?.case !== 'string') return;
  await caseAggregate.change(deps, filed.case, async (current) => {
    const entry = await inbox.findOne({ _id: key, case: current._id });
    if (!entry) return undefined;
    const others = { case: current._id, _id: { $ne: key } } as const;
    const { reporter } = entry;
    const [first, last, another] = await Promise.all([
      inbox.findOne(others, { sort: { received_ts: 1, _id: 1 } }),
      inbox.findOne(others, { sort: { received_ts: -1, _id: -1 } }),
      reporter === null ? entry : inbox.findOne({ ...others, reporter }, { projection: { _id: 1 } }),
    ]);
    const closing = first || current.state === 'resolved' ? undefined : closed(current, by, clock.now());
    return {
      set: {
        report_count: current.report_count - 1,
        reporter_count: current.reporter_count - (another ? 0 : 1),
        first_received_ts: first?.received_ts ?? current.first_received_ts,
        last_received_ts: last?.received_ts ?? current.last_received_ts,
        ...closing?.set,
      },
      effects: [{ kind: 'withdrawn', report: key }, ...(closing?.effects ?? [])],
    };
  });
}

/** The end of a case that has no reports. */
function closed(current: ReportCase, by: string, ts: number) {
  const reason = ALL_DELETED;
  const outcome = 'dismissed' as const;
  const state = 'resolved' as const;
  const resolution: CaseResolution = {
    ...{ number: current.former_resolutions.length + 1, decider: by, request_id: '', ts },
    ...{ outcome, duplicate_of: null, reason, notify: false, orders: [], task_id: null },
  };
  const change = { by, ts, field: 'state', from: current.state, to: state, reason } as const;
  const set = {
    ...{ state, outcome, resolution, changed_ts: ts, changed_by: by },
    facet: caseFacet({ ...current, state }),
    revision: current.revision + 1,
    history: [...current.history, change].slice(-MAX_HISTORY),
  } as const;
  const effects: readonly NewEffect<CaseEffect>[] = [{ kind: 'closed', actor: by, ts }];
  return { set, effects };
}
