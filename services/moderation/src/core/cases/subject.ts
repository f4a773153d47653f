import { createHash } from 'node:crypto';
import type { CaseSeverity, CaseState, ReportCase, SubjectKind } from '../model/case.ts';

/** What identifies the subject of a report. */
export type SubjectIds = Pick<ReportCase, 'kind' | 'user_id' | 'room_id' | 'event_id' | 'media_uri'>;

/** The number of characters of a digest in an id, which are 128 bits. */
const DIGEST_LENGTH = 32;

/** What a report is about, as one text: the same for all reports of one event, user, room or medium. */
export function subjectOf({ kind, user_id, room_id, event_id, media_uri }: SubjectIds): string {
  const ids: Readonly<Record<SubjectKind, readonly (string | null)[]>> = {
    event: [room_id, event_id],
    user: [user_id],
    room: [room_id],
    media: [media_uri],
  };
  return JSON.stringify([kind, ...ids[kind]]);
}

/** The id of a case: all processes derive the same one, so that a subject never has two unresolved cases. */
export function caseId(subject: string, number: number): string {
  const digest = createHash('sha256').update(subject).digest('hex').slice(0, DIGEST_LENGTH);
  return `case-${digest}-${number}`;
}

/** The fields by which reports and cases are counted. */
interface Counted<State extends string> {
  readonly state: State;
  readonly kind: SubjectKind;
  readonly severity: CaseSeverity | null;
  readonly assignee: string | null;
}

const SEPARATOR = ' ';
const NONE = '-';

/** These fields in one string: there are few combinations, so that any total by them is a sum over few numbers. */
export function caseFacet({ state, kind, severity, assignee }: Counted<string>): string {
  return [state, kind, severity ?? NONE, assignee ?? ''].join(SEPARATOR);
}

/** The fields that a facet stands for. */
export function fromCaseFacet(facet: string): Counted<CaseState | 'deleted'> {
  const [state, kind, severity, ...assignee] = facet.split(SEPARATOR);
  return {
    state: state as CaseState,
    kind: kind as SubjectKind,
    severity: severity === NONE ? null : (severity as CaseSeverity),
    assignee: assignee.join(SEPARATOR) || null,
  };
}
