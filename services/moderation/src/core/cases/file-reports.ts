import { type NewEffect, unchanged } from '@steward/service';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import type { CaseEffect, ReportCase } from '../model/case.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';
import { changeReports } from './change-reports.ts';
import { type FiledReport, readFiledReports } from './filed-report.ts';
import { newCase, subjectIdsOf } from './new-case.ts';
import { caseId, subjectOf } from './subject.ts';

/** How many reports of one subject a commit counts: each is a pending effect of it. */
const PER_COMMIT = 32;

/**
 * Files reports in the inbox: each is counted once by the case of its subject that is not resolved, or opens a new one. It is
 * idempotent, also in several processes concurrently.
 *
 * @param keys the keys of reports in the inbox, at most 1,000; those that were deleted are left out
 */
export async function fileReports(deps: CaseDeps, keys: readonly string[]): Promise<void> {
  const there = await filedAmong(deps, keys);
  const reports = await readFiledReports(
    deps,
    keys.filter((key) => !there.has(key)),
  );
  const bySubject = Map.groupBy(reports, subjectOf);
  for (const [subject, ofSubject] of bySubject)
    for (let from = 0; from < ofSubject.length; from += PER_COMMIT)
      await fileTogether(deps, subject, ofSubject.slice(from, from + PER_COMMIT));
  await changeReports(deps, keys, { unfiled: true }, { $unset: { unfiled: true } });
}

/** The reports that the inbox has, deleted ones included. */
async function filedAmong({ inbox }: CaseDeps, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await inbox.find({ _id: { $in: keys } }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** Files reports of one subject. */
async function fileTogether(deps: CaseDeps, subject: string, reports: readonly FiledReport[]): Promise<void> {
  const [first] = reports;
  if (!first) return;
  for (;;) {
    const last = await deps.cases.findOne({ subject }, { sort: { number: -1 }, projection: { _id: 1 } });
    if (!last) {
      if (await openFirst(deps, first, reports)) return;
      continue;
    }
    const filed = await caseAggregate.change(
      deps,
      last._id,
      async (current) => {
        if (current.next_case !== null) return unchanged('in the next case');
        // The load has applied what was pending, so that a report that this case counts has its entry.
        const there = await filedAmong(deps, reports.map(keyOf));
        const missing = reports.filter(({ _id }) => !there.has(_id));
        if (missing.length === 0) return undefined;
        if (current.state === 'resolved') {
          const next_case = caseId(subject, current.number + 1);
          return { set: { next_case }, effects: [{ kind: 'followed' }], result: 'in the next case' };
        }
        return count(current, missing, await newReporters(deps, current, missing));
      },
      NOT_FLUSHED,
    );
    if (filed?.result === undefined) return;
  }
}

/** Opens the first case of a subject with reports; returns whether no other process has. */
async function openFirst(
  deps: CaseDeps,
  first: FiledReport,
  reports: readonly FiledReport[],
): Promise<boolean> {
  const empty = newCase(subjectIdsOf(first), 1, deps.clock.now());
  const { set, effects } = count(empty as ReportCase, reports, reportersOf(reports).size);
  try {
    await caseAggregate.create(deps, { ...empty, ...set }, effects, NOT_FLUSHED);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/** The decision to count reports. */
function count(current: ReportCase, reports: readonly FiledReport[], reporters: number) {
  const times = reports.map(({ received_ts }) => received_ts);
  const known = current.report_count > 0 ? [current.first_received_ts, current.last_received_ts] : [];
  const effects = reports.map((report): NewEffect<CaseEffect> => ({ kind: 'filed', report: report._id }));
  return {
    set: {
      report_count: current.report_count + reports.length,
      reporter_count: current.reporter_count + reporters,
      first_received_ts: Math.min(...known, ...times),
      last_received_ts: Math.max(...known, ...times),
      // The sender of an event may have been unknown at an earlier report.
      user_id: current.user_id ?? reports.find(({ user_id }) => user_id !== null)?.user_id ?? null,
    },
    effects,
  };
}

/** How many reporters of these reports have no other report of the case. */
async function newReporters(
  { inbox }: CaseDeps,
  { _id }: ReportCase,
  reports: readonly FiledReport[],
): Promise<number> {
  const reporters = reportersOf(reports);
  for (const reporter of reporters)
    if (await inbox.findOne({ case: _id, reporter }, { projection: { _id: 1 } })) reporters.delete(reporter);
  return reporters.size;
}

function reportersOf(reports: readonly FiledReport[]): Set<string> {
  return new Set(reports.flatMap(({ reporter }) => reporter ?? []));
}

function keyOf({ _id }: FiledReport): string {
  return _id;
}
