import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import type { CarriedAuthority } from '../carried-authority.ts';

/** What a report is about. */
export type SubjectKind = 'event' | 'user' | 'room' | 'media';

/** Where a case is in its life. */
export type CaseState = 'open' | 'triaged' | 'escalated' | 'resolved';

/** The states in the order of the life of a case. */
export const CASE_STATES: readonly CaseState[] = ['open', 'triaged', 'escalated', 'resolved'];

/** The states in which a case needs a decision. */
export const UNRESOLVED: readonly CaseState[] = CASE_STATES.filter((state) => state !== 'resolved');

/** What was decided. */
export type CaseOutcome = 'actioned' | 'dismissed' | 'duplicate';

/** How bad it is, as moderators see it. */
export type CaseSeverity = 'low' | 'medium' | 'high' | 'critical';

/** A remark of a moderator. It is never changed. */
export interface CaseNote {
  /** Unique within the case: 1, 2, 3 and so on. */
  readonly id: number;
  /** A user id, or the name of an automation token or a client of services, see `Requester.owner`. */
  readonly author: string;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  readonly text: string;
}

/** A change of a case by a moderator, or by the server. */
export interface CaseChange {
  /** Who made it, as the author of a note; null for the server. */
  readonly by: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  /** What was changed. */
  readonly field: 'state' | 'assignee' | 'severity';
  /** The values before and after; null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** The reason that the moderator gave; null for none. */
  readonly reason: string | null;
}

/** How far an action of a resolution is. */
export type ActionState = 'pending' | 'done' | 'refused';

/** An action that a resolution orders. */
export interface CaseAction {
  /** `<id of the case>.<number of the resolution>.<number of the action>`: what is done under it, is done once. */
  readonly id: string;
  /** The kind of the action, for example `redact_event`. */
  readonly kind: string;
  /** What it is done to and how: an object as JSON text, complete, so that carrying it out asks the case for nothing else. */
  readonly details: string;
  readonly state: ActionState;
  /** Why it was refused; null otherwise. */
  readonly errcode: string | null;
  readonly message: string | null;
  /** The task of the service that carries it out, where that takes long; null otherwise. */
  readonly task_id: string | null;
  /** When it was done or refused, in milliseconds since the Unix epoch; null while it is pending. */
  readonly ended_ts: number | null;
}

/** What ended a case. */
export interface CaseResolution {
  /** 1 for the first resolution of the case; a case that was opened again gets a further one. */
  readonly number: number;
  /** Who decided, as the author of a note; null for the server. */
  readonly decider: string | null;
  /** The id of the HTTP request that decided; empty without one. */
  readonly request_id: string;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  readonly outcome: CaseOutcome;
  /** The case of which this one is a duplicate; null otherwise. */
  readonly duplicate_of: string | null;
  readonly reason: string | null;
  /** Whether the reporters are notified. */
  readonly notify: boolean;
  /** What is to be done. Its stored name, like the key of the API, says *orders*. */
  readonly orders: readonly CaseAction[];
  /** Absent without actions. */
  readonly authority?: CarriedAuthority;
  /** The task that carries the actions out; null without actions, and until it was created. */
  readonly task_id: string | null;
}

/** A case: all reports of one subject from the time at which its last case was resolved. */
export interface ReportCase extends Aggregate {
  /** See `caseId`. */
  readonly _id: string;
  readonly kind: SubjectKind;
  /** What it is about, see `subjectOf`. */
  readonly subject: string;
  /** The number of the case among those of its subject: 1, 2, 3 and so on. */
  readonly number: number;
  /** The case of the subject before this one; null for the first one. */
  readonly previous_case: string | null;
  /** The case of the subject after this one; null for the last one, which is the only one that may be unresolved. */
  readonly next_case: string | null;
  /** The sender of the event, the reported user, or the uploader of the medium; null for none. */
  readonly user_id: string | null;
  readonly room_id: string | null;
  readonly event_id: string | null;
  /** The content URI of a medium; null for other kinds. */
  readonly media_uri: string | null;
  readonly state: CaseState;
  /** Null until it is resolved. */
  readonly outcome: CaseOutcome | null;
  readonly duplicate_of: string | null;
  readonly assignee: string | null;
  readonly severity: CaseSeverity | null;
  /** All that lists count by, see `caseFacet`. */
  readonly facet: string;
  /** Rises by one with each change by a moderator, and not with further reports: what `If-Match` compares. */
  readonly revision: number;
  /** At most `MAX_NOTES`. */
  readonly notes: readonly CaseNote[];
  /** The last `MAX_HISTORY` changes, oldest first. */
  readonly history: readonly CaseChange[];
  readonly report_count: number;
  /** How many different users made the reports. */
  readonly reporter_count: number;
  /** When the first and the last report were received, in milliseconds since the Unix epoch. */
  readonly first_received_ts: number;
  readonly last_received_ts: number;
  /** The last change by a moderator, in milliseconds since the Unix epoch, and who made it; null for none. */
  readonly changed_ts: number | null;
  readonly changed_by: string | null;
  /** The last call with an idempotency key that changed it, see `callId`, so that it is not carried out again; absent for none. */
  readonly last_call?: string;
  /** The present resolution; null unless it is resolved. */
  readonly resolution: CaseResolution | null;
  /** The resolutions before it was opened again, oldest first; at most `MAX_REOPENED`. */
  readonly former_resolutions: readonly CaseResolution[];
}

/** The most notes of a case. */
export const MAX_NOTES = 100;
/** The most entries of the history of a case; older ones are in the audit log. */
export const MAX_HISTORY = 200;
/** How often a case can be opened again. */
export const MAX_REOPENED = 20;

/** A report was counted: its entry of the inbox is still to be written. */
export interface FiledEffect extends PendingEffect {
  readonly kind: 'filed';
  /** The key of the report in the inbox. */
  readonly report: string;
}

/** A report is no longer counted, because it was deleted: its entry of the inbox is still to be removed. */
export interface WithdrawnEffect extends PendingEffect {
  readonly kind: 'withdrawn';
  /** The key of the report in the inbox. */
  readonly report: string;
}

/** What lists filter by was changed: the entries of the inbox are still to be changed. */
export interface SpreadEffect extends PendingEffect {
  readonly kind: 'spread';
}

/** The case is followed by another one of its subject, which is still to be created. */
export interface FollowedEffect extends PendingEffect {
  readonly kind: 'followed';
}

/** The server resolved the case: the event of the feed is still to be made. */
export interface ClosedEffect extends PendingEffect {
  readonly kind: 'closed';
  readonly actor: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
}

/** The case was resolved, and its reporters are to be notified. */
export interface NotifyEffect extends PendingEffect {
  readonly kind: 'notify';
  /** The number of the resolution. */
  readonly resolution: number;
}

/** The case was resolved with orders: the task that carries them out is still to be created. */
export interface OrderedEffect extends PendingEffect {
  readonly kind: 'ordered';
  /** The number of the resolution. */
  readonly resolution: number;
}

/** The pending effects of cases. */
export type CaseEffect =
  | FiledEffect
  | WithdrawnEffect
  | SpreadEffect
  | FollowedEffect
  | ClosedEffect
  | NotifyEffect
  | OrderedEffect;

/** The keys that lists filter by besides the leading one, so that they read only an index. */
const FILTERED = [
  ['kind', 1],
  ['severity', 1],
  ['assignee', 1],
] as const;

/** A list of the cases in each state, in the order of their last reports. */
function listBy(name: string, ...keys: readonly (keyof ReportCase & string)[]) {
  const others = FILTERED.filter(([key]) => !keys.includes(key));
  return {
    name,
    keys: [
      ['state', 1],
      ...keys.map((key) => [key, 1] as const),
      ['last_received_ts', 1],
      ['_id', 1],
      ...others,
      // The other order, so that few cases are sorted in the index.
      ['report_count', 1],
    ],
  } as const;
}

/** Cases, by their ids. */
export const cases = declareAggregate<ReportCase>({
  name: 'moderation.cases',
  shardKey: '_id',
  tally: 'facet',
  indexes: [
    listBy('by_time'),
    listBy('by_time_of_kind', 'kind'),
    listBy('by_time_of_assignee', 'assignee'),
    listBy('by_time_of_severity', 'severity'),
    listBy('by_time_of_user', 'user_id'),
    listBy('by_time_of_room', 'room_id'),
    {
      name: 'by_reports',
      keys: [['state', 1], ['report_count', 1], ['_id', 1], ...FILTERED, ['last_received_ts', 1]],
    },
    {
      name: 'by_urgency',
      keys: [
        ['state', 1],
        ['severity', 1],
        ['reporter_count', -1],
        ['first_received_ts', 1],
        ['_id', 1],
        ['kind', 1],
        ['assignee', 1],
      ],
    },
    {
      name: 'list_by_first_report',
      keys: [['state', 1], ['first_received_ts', 1], ['_id', 1], ...FILTERED],
    },
    {
      name: 'of_subject',
      keys: [
        ['subject', 1],
        ['number', 1],
      ],
    },
  ],
});
