import { refuse } from '@steward/errors';
import type { CarriedAuthority } from '../carried-authority.ts';
import type { CaseAction, CaseOutcome, CaseResolution, ReportCase } from '../model/case.ts';
import { amendCase } from './amend-case.ts';
import { actionTaskId } from './begin-actions.ts';
import type { CaseDeps } from './case-deps.ts';
import { type Precondition, refuseState } from './case-tag.ts';
import { caseIdOf } from './find-case.ts';

/** An action as a moderator gives it; it is complete and permitted. */
export type NewAction = Pick<CaseAction, 'kind' | 'details'>;

/** A decision about a case. */
export interface NewResolution extends Precondition {
  /** Who decides, see `Requester.owner`; null for the server. */
  readonly decider: string | null;
  /** The id of the HTTP request; empty without one. */
  readonly requestId: string;
  readonly outcome: CaseOutcome;
  /** The id of the case or of a report of the case of which this one is a duplicate; null unless the outcome is `duplicate`. */
  readonly duplicateOf: string | null;
  readonly reason: string | null;
  /** Whether the reporters are notified. */
  readonly notify: boolean;
  /** At most 20. */
  /** As in `CaseAmendment`. */
  readonly call?: string | undefined;
  readonly actions: readonly NewAction[];
  /** With which the actions are carried out; absent without actions. */
  readonly authority?: CarriedAuthority;
}

/**
 * Resolves the case that an id stands for, in one commit, with all actions pending. The reporters are notified in the background.
 *
 * @returns the case after the commit
 * @throws refuse.notFound, refuse.invalidParam for a duplicate of nothing, of itself or of a duplicate, refuseWithCase.preconditionFailed,
 *   refuseWithCase.wrongState when it is resolved
 */
export async function resolveCase(deps: CaseDeps, id: string, decision: NewResolution): Promise<ReportCase> {
  const { decider: by, reason, outcome, notify } = decision;
  const own = await caseIdOf(deps, id);
  const original = await originalOf(deps, own, decision);
  return amendCase(deps, own, {
    by,
    reason,
    ifMatch: decision.ifMatch,
    call: decision.call,
    decide: (current, ts) => {
      if (current.state === 'resolved') refuseState(current, 'The case is resolved already');
      const number = current.former_resolutions.length + 1;
      const resolution: CaseResolution = {
        ...{ number, decider: by, request_id: decision.requestId, ts },
        ...{ outcome, duplicate_of: original, reason, notify },
        orders: decision.actions.map((action, index) => newAction(action, `${own}.${number}.${index + 1}`)),
        ...(decision.authority ? { authority: decision.authority } : {}),
        task_id: decision.actions.length > 0 ? actionTaskId(own, number) : null,
      };
      return {
        set: { state: 'resolved', outcome, duplicate_of: original, resolution },
        effects: [
          ...(notify ? [{ kind: 'notify', resolution: number } as const] : []),
          ...(decision.actions.length > 0 ? [{ kind: 'ordered', resolution: number } as const] : []),
        ],
      };
    },
  });
}

function newAction({ kind, details }: NewAction, id: string): CaseAction {
  const open = { state: 'pending', errcode: null, message: null, task_id: null, ended_ts: null } as const;
  return { id, kind, details, ...open };
}

/** The case of which a case is a duplicate. */
async function originalOf(
  deps: CaseDeps,
  own: string,
  { outcome, duplicateOf }: NewResolution,
): Promise<string | null> {
  if ((outcome === 'duplicate') !== (duplicateOf !== null))
    throw refuse.invalidParam(
      "'duplicate_of' is possible with the outcome 'duplicate' only, which requires it",
    );
  if (duplicateOf === null) return null;
  const original = await caseIdOf(deps, duplicateOf);
  const found = await deps.cases.findOne({ _id: original }, { projection: { duplicate_of: 1 } });
  if (!found) throw refuse.invalidParam("'duplicate_of' is not a report");
  if (original === own) throw refuse.invalidParam('A case cannot be a duplicate of itself');
  // Otherwise two cases could be duplicates of each other, and both would stay undecided.
  if (found.duplicate_of !== null)
    throw refuse.invalidParam(`'duplicate_of' is itself a duplicate of ${found.duplicate_of}`);
  return original;
}
