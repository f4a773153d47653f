import { declareCollection, type IndexDeclaration } from '@steward/store';
import type { NoticeRoom } from '../verbs/notices/choose-notice-room.ts';
import type { AuditEntry } from './model/audit-entry.ts';
import type { EventReport, ReportedRoom, RoomReport, UserReport } from './model/report.ts';
import type { Counter } from './report-id.ts';

/** The rooms in which users are sent notices, by user id. */
export const noticeRooms = declareCollection<NoticeRoom>({
  name: 'moderation.notice_rooms',
  shardKey: '_id',
  indexes: [],
});

/** The last number of each kind of report, by its name. */
export const counters = declareCollection<Counter>({
  name: 'moderation.counters',
  shardKey: '_id',
  indexes: [],
});

/** Reports of events, by number. */
export const eventReports = declareCollection<EventReport>({
  name: 'moderation.event_reports',
  shardKey: '_id',
  search: ['user_id', 'room_id'],
  shared: ['user_id', 'room_id'],
  tally: 'room_gone',
  indexes: [
    {
      name: 'list',
      keys: [
        ['room_gone', 1],
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'list_of_reporter',
      keys: [
        ['room_gone', 1],
        ['user_id', 1],
        ['received_ts', 1],
        ['_id', 1],
        // So that those of some reporters and rooms are counted without a look at the reports themselves.
        ['room_id', 1],
      ],
    },
    {
      name: 'list_of_room',
      keys: [
        ['room_gone', 1],
        ['room_id', 1],
        ['received_ts', 1],
        ['_id', 1],
        ['user_id', 1],
      ],
    },
    {
      name: 'by_sender',
      keys: [
        ['room_gone', 1],
        ['sender', 1],
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
  ],
});

/** The rooms of those reports, by room id, as long as they are not known to be gone. */
export const reportedRooms = declareCollection<ReportedRoom>({
  name: 'moderation.reported_rooms',
  shardKey: '_id',
  indexes: [],
});

/** Reports of users, by number. */
export const userReports = declareCollection<UserReport>({
  name: 'moderation.user_reports',
  shardKey: '_id',
  search: ['user_id', 'target_user_id'],
  shared: ['user_id', 'target_user_id'],
  indexes: [
    {
      name: 'list',
      keys: [
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'list_of_reporter',
      keys: [
        ['user_id', 1],
        ['received_ts', 1],
        ['_id', 1],
        ['target_user_id', 1],
      ],
    },
    {
      name: 'list_of_target',
      keys: [
        ['target_user_id', 1],
        ['received_ts', 1],
        ['_id', 1],
        ['user_id', 1],
      ],
    },
  ],
});

/** Reports of rooms, by number. */
export const roomReports = declareCollection<RoomReport>({
  name: 'moderation.room_reports',
  shardKey: '_id',
  indexes: [],
});

/** The filters of the audit log that may be rare together: each choice of them has an index, in the order of time. */
const AUDIT_FILTERS = [
  ['actor'],
  ['action'],
  ['outcome'],
  ['actor', 'action'],
  ['actor', 'outcome'],
  ['action', 'outcome'],
  ['actor', 'action', 'outcome'],
] as const;

/** The audit log, in the order of its ids. */
export const auditLog = declareCollection<AuditEntry>({
  name: 'moderation.audit_log',
  shardKey: '_id',
  arrays: ['targets'],
  indexes: [
    ...AUDIT_FILTERS.map(
      (paths): IndexDeclaration<AuditEntry> => ({
        name: `by_${paths.join('_')}`,
        keys: [...paths.map((path) => [path, 1] as const), ['_id', 1]],
      }),
    ),
    // What is about one thing is little: the other filters are looked at entry by entry, in the index alone.
    {
      name: 'list_of_target',
      keys: [
        ['targets', 1],
        ['_id', 1],
        ['actor', 1],
        ['action', 1],
        ['outcome', 1],
      ],
    },
  ],
});
