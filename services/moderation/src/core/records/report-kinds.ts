import {
  type Field,
  flag,
  id,
  jsonText,
  list,
  mark,
  nullable,
  object,
  ofAggregate,
  oneOf,
  optional,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import type { CarriedAuthority } from '../carried-authority.ts';
import { caseFacet } from '../cases/subject.ts';
import {
  CASE_STATES,
  type CaseAction,
  type CaseChange,
  type CaseNote,
  type CaseResolution,
  cases,
  type ReportCase,
} from '../model/case.ts';
import { type Counter, counters } from '../model/counter.ts';
import { type Evidence, evidence } from '../model/evidence.ts';
import { type InboxEntry, inbox } from '../model/inbox-entry.ts';
import {
  type MediaReport,
  mediaReports,
  type RoomReport,
  roomReports,
  type UnannouncedReport,
  type UserReport,
  userReports,
} from '../model/report.ts';

const KEY = ['id', 'The report number, in 16 digits.'] as const;
const REPORTER = id('The user who made the report.');
const RECEIVED = whole('When it was received.');
const SUBJECT_KINDS = ['event', 'user', 'room', 'media'] as const;
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
const OUTCOMES = ['actioned', 'dismissed', 'duplicate'] as const;

const subjectKind = () => oneOf(SUBJECT_KINDS, 'What the report is about.');
const severity = () => nullable(oneOf(SEVERITIES, 'How bad it is; null for none.'));
const assignee = () => nullable(text('Who works on it; null if no moderator does.'));

/** The fields of every report about what is kept of it, and what is still to be done. */
export const ofReport = {
  evidence: optional(id('The key of the copy of what was reported, see `evidence`.')),
  no_evidence: optional(oneOf(['reporter_limit', 'subject_limit'], 'Why there is no copy.')),
  unannounced: optional(
    object<UnannouncedReport>('Present until the feed has the event of the report.', {
      actor: text('Who made it.'),
      request_id: text('The id of the request.'),
    }),
  ),
  unfiled: mark(
    'Whether the inbox does not have it yet: true for every report that has no entry in `inbox`.',
  ),
} as const;

/** The subject of a case or a report. */
const ofSubject = {
  user_id: nullable(id('The sender of the event, the reported user, or the uploader; null for none.')),
  room_id: nullable(id('The room; null for none.')),
  event_id: nullable(id('The event; null for none.')),
  media_uri: nullable(text('The content URI; null for none.')),
} as const;

const action = (): Field<CaseAction> =>
  object<CaseAction>('What is to be done.', {
    id: text('The id of the action.'),
    kind: text('The kind, for example redact_event.'),
    details: jsonText('To what it is done, and how.'),
    state: oneOf(['pending', 'done', 'refused'], 'How far it is.'),
    errcode: nullable(text('Why it was refused; null otherwise.')),
    message: nullable(text('The same in words.')),
    task_id: nullable(text('The task that carries it out; null for none.')),
    ended_ts: nullable(whole('When it was done or refused; null while it is pending.')),
  });

const resolution = (meaning: string): Field<CaseResolution> =>
  object<CaseResolution>(meaning, {
    number: whole('1 for the first one of the case.'),
    decider: nullable(text('Who decided; null for the server.')),
    request_id: text('The id of the request; empty without one.'),
    ts: whole('When it was decided.'),
    outcome: oneOf(OUTCOMES, 'What was decided.'),
    duplicate_of: nullable(id('The case of which this is a duplicate; null otherwise.')),
    reason: nullable(text('Why; null without a reason.')),
    notify: flag('Whether the reporters are notified.'),
    orders: list(action()),
    authority: optional(
      object<CarriedAuthority>('How who decided was authenticated.', {
        scopes: nullable(list(text('Their scopes; null for all.'))),
        acting_as: nullable(text('The account as which they acted; null for none.')),
        token_kind: text('The kind of their token.'),
        device_id: nullable(text('Their device; null for none.')),
        address: text('Their address.'),
      }),
    ),
    task_id: nullable(text('The task that carries the actions out; null for none.')),
  });

/** The kinds of records of reports, in the order in which they are loaded. */
export const REPORT_KINDS: readonly RecordKind[] = [
  recordKind<Counter>({
    name: 'report_numbers',
    about: 'The last number that a report of a kind has had, which is never given again.',
    collection: counters,
    key: ['kind', 'event_reports, user_reports, room_reports or media_reports.'],
    fields: { last: whole('The number.') },
  }),
  recordKind<UserReport>({
    name: 'user_reports',
    about: 'A report of a user.',
    collection: userReports,
    key: KEY,
    owner: 'user_id',
    fields: {
      received_ts: RECEIVED,
      user_id: REPORTER,
      target_user_id: id('The reported user.'),
      reason: text('The comment of the reporter.'),
      ...ofReport,
    },
  }),
  recordKind<RoomReport>({
    name: 'room_reports',
    room: 'room_id',
    about: 'A report of a room.',
    collection: roomReports,
    key: KEY,
    owner: 'user_id',
    fields: {
      received_ts: RECEIVED,
      user_id: REPORTER,
      room_id: id('The reported room.'),
      reason: text('The comment of the reporter.'),
      ...ofReport,
    },
  }),
  recordKind<MediaReport>({
    name: 'media_reports',
    about: 'A report of a medium, which the server makes itself.',
    collection: mediaReports,
    key: KEY,
    fields: {
      received_ts: RECEIVED,
      media_uri: text('The content URI of the medium.'),
      uploader: nullable(id('Its uploader; null for none.')),
      reason: text('Why it was reported.'),
      occasion: optional(
        text('What it is reported for: the same for further uploads of one content by one user.'),
      ),
      ...ofReport,
    },
  }),
  recordKind<Evidence>({
    name: 'evidence',
    about: 'A copy of what was reported, as it was at the time of a report.',
    collection: evidence,
    key: ['digest', 'The digest of the subject and the content.'],
    fields: {
      subject: text('What was reported.'),
      reporter: optional(id('Whose report it was made for.')),
      bytes: optional(whole('The size of the content.')),
      content: jsonText('What was reported.'),
      first_ts: whole('When the first report of this state was received.'),
      last_ts: whole('When the last report of this state was received.'),
    },
  }),
  recordKind<ReportCase, 'facet'>({
    name: 'cases',
    room: 'room_id',
    about: 'All reports of one subject from the time at which its last case was resolved.',
    collection: cases,
    key: ['id', 'The id of the case.'],
    fields: {
      ...ofAggregate,
      kind: subjectKind(),
      subject: text('What it is about.'),
      number: whole('1 for the first case of the subject.'),
      previous_case: nullable(id('The case before this one; null for none.')),
      next_case: nullable(id('The case after this one; null for none.')),
      ...ofSubject,
      state: oneOf(CASE_STATES, 'Where it is in its life.'),
      outcome: nullable(oneOf(OUTCOMES, 'What was decided; null until it is resolved.')),
      duplicate_of: nullable(id('The case of which this is a duplicate; null otherwise.')),
      assignee: assignee(),
      severity: severity(),
      revision: whole('How often a moderator changed it.'),
      notes: list(
        object<CaseNote>('The remarks of moderators.', {
          id: whole('1, 2, 3 and so on.'),
          author: text('Who wrote it.'),
          ts: whole('When it was written.'),
          text: text('The remark.'),
        }),
      ),
      history: list(
        object<CaseChange>('The last changes, oldest first.', {
          by: nullable(text('Who made it; null for the server.')),
          ts: whole('When it was made.'),
          field: oneOf(['state', 'assignee', 'severity'], 'What was changed.'),
          from: nullable(text('The value before; null for none.')),
          to: nullable(text('The value after; null for none.')),
          reason: nullable(text('Why; null without a reason.')),
        }),
      ),
      report_count: whole('How many reports it has.'),
      reporter_count: whole('How many different users made them.'),
      first_received_ts: whole('When the first one was received.'),
      last_received_ts: whole('When the last one was received.'),
      changed_ts: nullable(whole('The last change by a moderator; null for none.')),
      changed_by: nullable(text('Who made it; null for none.')),
      last_call: optional(id('The last call with an idempotency key that changed it.')),
      resolution: nullable(resolution('The present resolution; null unless it is resolved.')),
      former_resolutions: list(resolution('The resolutions before it was opened again, oldest first.')),
      pending: stillToDo(),
    },
    derived: { facet: caseFacet },
  }),
  recordKind<InboxEntry, 'facet'>({
    name: 'inbox',
    room: 'room_id',
    about: 'The entry of a report in the inbox.',
    collection: inbox,
    key: ['report', 'The kind and the number of the report.'],
    fields: {
      kind: subjectKind(),
      received_ts: RECEIVED,
      reporter: nullable(id('The reporter; null for the server.')),
      ...ofSubject,
      evidence: nullable(id('The key of the copy of what was reported; null for none.')),
      no_evidence: ofReport.no_evidence,
      case: nullable(id('The id of its case; null while the entry is removed.')),
      case_version: whole('The version of the case from which its copies are.'),
      state: oneOf([...CASE_STATES, 'deleted'], 'The state of the case.'),
      severity: severity(),
      assignee: assignee(),
      deleted_ts: optional(whole('When it was deleted.')),
    },
    derived: { facet: caseFacet },
  }),
];
