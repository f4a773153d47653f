import { type Doc, declareCollection } from '@steward/store';
import type { CaseSeverity, CaseState, SubjectKind } from './case.ts';
import type { NoEvidence } from './evidence.ts';

/**
 * A report of any kind, with what lists filter by. What belongs to the case is a copy, which the effects of the case keep; the
 * rest never changes.
 */
export interface InboxEntry extends Doc {
  /** See `inboxKey`: the kind and the number of the documented report. */
  readonly _id: string;
  readonly kind: SubjectKind;
  readonly received_ts: number;
  /** The reporter; null for the server. */
  readonly reporter: string | null;
  /** As in the case. */
  readonly user_id: string | null;
  readonly room_id: string | null;
  readonly event_id: string | null;
  readonly media_uri: string | null;
  /** The key of the copy of what was reported; null without one. */
  readonly evidence: string | null;
  /** Why there is none; absent if there is one, or what was reported was gone. */
  readonly no_evidence?: NoEvidence;
  /** The id of its case; null from its deletion until the document is removed. */
  readonly case: string | null;
  /** The version of the case from which the copies are. */
  readonly case_version: number;
  /** Copy of the state of the case; `deleted` from its deletion, so that a process that still files it finds it there. */
  readonly state: CaseState | 'deleted';
  /** Copies. */
  readonly severity: CaseSeverity | null;
  readonly assignee: string | null;
  /** All that lists count by, see `caseFacet`. */
  readonly facet: string;
  /** When it was deleted, in milliseconds since the Unix epoch; absent otherwise. */
  readonly deleted_ts?: number;
}

const FILTERED = [
  ['kind', 1],
  ['severity', 1],
  ['assignee', 1],
] as const;

/** A list of the reports in each state, in the order in which they were received. */
function listBy(name: string, ...keys: readonly (keyof InboxEntry & string)[]) {
  const others = FILTERED.filter(([key]) => !keys.includes(key));
  return {
    name,
    keys: [['state', 1], ...keys.map((key) => [key, 1] as const), ['received_ts', 1], ['_id', 1], ...others],
  } as const;
}

/** The inbox: all reports, by kind and number. */
export const inbox = declareCollection<InboxEntry>({
  name: 'moderation.inbox',
  shardKey: '_id',
  tally: 'facet',
  indexes: [
    listBy('list'),
    listBy('list_of_kind', 'kind'),
    listBy('list_of_assignee', 'assignee'),
    listBy('list_of_severity', 'severity'),
    listBy('list_of_reporter', 'reporter'),
    listBy('list_of_user', 'user_id'),
    listBy('list_of_room', 'room_id'),
    {
      name: 'of_case',
      keys: [
        ['case', 1],
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'behind',
      keys: [
        ['case', 1],
        ['case_version', 1],
      ],
    },
    {
      name: 'of_case_by_reporter',
      keys: [
        ['case', 1],
        ['reporter', 1],
      ],
    },
    { name: 'deleted', keys: [['deleted_ts', 1]], sparse: true },
  ],
});
