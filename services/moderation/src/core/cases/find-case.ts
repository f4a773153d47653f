import { refuse } from '@steward/errors';
import type { ReportCase } from '../model/case.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';
import { fileReports } from './file-reports.ts';
import { parseInboxKey } from './inbox-key.ts';

/**
 * Returns the id of the case that an id stands for: that of a case, or that of a report of it, for example `event-12`.
 *
 * @throws refuse.notFound when there is no such report
 */
export async function caseIdOf(deps: CaseDeps, id: string): Promise<string> {
  if (!parseInboxKey(id)) return id;
  const filed = async () => (await deps.inbox.findOne({ _id: id }))?.case;
  const found = await filed();
  if (typeof found === 'string') return found;
  // It was stored a moment ago, or before the inbox existed.
  if (found === undefined) await fileReports(deps, [id]);
  const since = await filed();
  if (typeof since !== 'string') throw refuse.notFound('Report not found');
  return since;
}

/**
 * Returns the case that an id stands for, see `caseIdOf`.
 *
 * @throws refuse.notFound when there is no such report or case
 */
export async function loadCase(deps: CaseDeps, id: string): Promise<ReportCase> {
  const found = await caseAggregate.load(deps, await caseIdOf(deps, id));
  if (!found) throw refuse.notFound('Report not found');
  return found;
}
