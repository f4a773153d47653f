import type { CaseAction, CaseResolution, ReportCase } from '../model/case.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';

/** The outcome of an action. */
export type ActionOutcome = Partial<Pick<CaseAction, 'state' | 'errcode' | 'message' | 'task_id'>>;

/**
 * Records the outcome of an action of a case, or the task that carries it out. An action that has ended stays as it is.
 *
 * @returns the case after the change; `undefined` when there is none
 */
export function recordOutcome(
  deps: CaseDeps,
  caseId: string,
  actionId: string,
  outcome: ActionOutcome,
): Promise<ReportCase | undefined> {
  const ended = outcome.state === undefined || outcome.state === 'pending' ? null : deps.clock.now();
  return changeResolution(
    deps,
    caseId,
    ({ orders }) => orders.some(({ id, state }) => id === actionId && state === 'pending'),
    (resolution) => ({
      ...resolution,
      orders: resolution.orders.map((action) =>
        action.id === actionId ? { ...action, ...outcome, ended_ts: ended } : action,
      ),
    }),
  );
}

/** Changes the resolution that a condition selects, the current one or an earlier one. */
async function changeResolution(
  deps: CaseDeps,
  caseId: string,
  selects: (resolution: CaseResolution) => boolean,
  change: (resolution: CaseResolution) => CaseResolution,
): Promise<ReportCase | undefined> {
  const changed = await caseAggregate.change(deps, caseId, (current) => {
    const { resolution, former_resolutions: former } = current;
    if (resolution && selects(resolution)) return { set: { resolution: change(resolution) } };
    if (!former.some(selects)) return undefined;
    return { set: { former_resolutions: former.map((each) => (selects(each) ? change(each) : each)) } };
  });
  return changed?.document;
}
