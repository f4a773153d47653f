import type { DeadLetters } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { Limits } from '@steward/limits';
import type { Collection } from '@steward/store';
import type { Rooms } from '../peers/rooms.ts';
import type { Tasks } from '../peers/tasks.ts';
import type { Users } from '../peers/users.ts';
import type { NoticeRoom } from '../verbs/notices/choose-notice-room.ts';
import type { AuditEntry } from './model/audit-entry.ts';
import type { EventReport, ReportedRoom, RoomReport, UserReport } from './model/report.ts';
import type { Counter } from './report-id.ts';

/** What the service's functions work with. Made once, by `service.ts`. */
export interface Deps {
  readonly serverName: string;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly random: Random;
  readonly counters: Collection<Counter>;
  readonly eventReports: Collection<EventReport>;
  readonly userReports: Collection<UserReport>;
  readonly roomReports: Collection<RoomReport>;
  readonly reportedRooms: Collection<ReportedRoom>;
  readonly noticeRooms: Collection<NoticeRoom>;
  readonly auditLog: Collection<AuditEntry>;
  /** How long entries of the audit log are kept, in milliseconds. */
  readonly auditRetentionMs: number;
  readonly users: Users;
  readonly rooms: Rooms;
  readonly tasks: Tasks;
  readonly deadLetters: DeadLetters;
  readonly limits: Limits;
}

/** The settings of server notices. */
export interface Notices {
  readonly enabled: boolean;
  /** The user id of who sends them. */
  readonly sender: string;
  readonly localpart: string;
  readonly displayName: string;
  /** The sender's avatar, as a content URI; undefined for none. */
  readonly avatarUrl: string | undefined;
  /** What new rooms for them are called. */
  readonly roomName: string;
}
