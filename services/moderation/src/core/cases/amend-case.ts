import { refuse } from '@steward/errors';
import type { NewEffect } from '@steward/service';
import { type CaseChange, type CaseEffect, MAX_HISTORY, type ReportCase } from '../model/case.ts';
import { caseAggregate } from './case-aggregate.ts';
import type { CaseDeps } from './case-deps.ts';
import { type Precondition, requireMatch } from './case-tag.ts';
import { caseIdOf } from './find-case.ts';
import { caseFacet } from './subject.ts';

/** The fields of a case that moderators change. */
export type Amendment = Partial<
  Pick<
    ReportCase,
    | 'state'
    | 'assignee'
    | 'severity'
    | 'outcome'
    | 'duplicate_of'
    | 'notes'
    | 'resolution'
    | 'former_resolutions'
  >
>;

/** A change of a case. */
export interface CaseAmendment extends Precondition {
  /** Who makes it, see `Requester.owner`; null for the server. */
  readonly by: string | null;
  /** The reason that they give; null for none. */
  readonly reason: string | null;
  /** The call that asks for it, see `callId`: once for each. */
  readonly call?: string | undefined;
  /**
   * Returns what changes, and further effects; it throws what refuses the change. It may run several times.
   *
   * @param now milliseconds since the Unix epoch
   */
  readonly decide: (
    current: ReportCase,
    now: number,
  ) => { readonly set: Amendment; readonly effects?: readonly NewEffect<CaseEffect>[] };
}

/** The fields whose changes the history has, and lists filter by. */
const RECORDED = ['state', 'assignee', 'severity'] as const;

/**
 * Changes the case that an id stands for in one commit: its history, its revision and the copies in the inbox follow.
 *
 * @returns the case after the change
 * @throws refuse.notFound, refuseWithCase.preconditionFailed, and what `decide` throws
 */
export async function amendCase(deps: CaseDeps, id: string, amendment: CaseAmendment): Promise<ReportCase> {
  const { by, reason, call, decide } = amendment;
  const changed = await caseAggregate.change(deps, await caseIdOf(deps, id), (current) => {
    if (call !== undefined && current.last_call === call) return undefined;
    requireMatch(current, amendment);
    const now = deps.clock.now();
    const { set, effects = [] } = decide(current, now);
    const after = { ...current, ...set };
    const changes = RECORDED.flatMap((field): readonly CaseChange[] =>
      after[field] === current[field]
        ? []
        : [{ by, ts: now, field, from: current[field], to: after[field], reason }],
    );
    return {
      set: {
        ...set,
        facet: caseFacet(after),
        revision: current.revision + 1,
        changed_ts: now,
        changed_by: by,
        ...(call === undefined ? {} : { last_call: call }),
        history: [...current.history, ...changes].slice(-MAX_HISTORY),
      },
      effects: [...(changes.length > 0 ? [{ kind: 'spread' } as const] : []), ...effects],
    };
  });
  if (!changed) throw refuse.notFound('Report not found');
  return changed.document;
}
