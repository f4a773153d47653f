import { type Doc, declareCollection } from '@steward/store';
import type { KeptEvidence } from './evidence.ts';

/** The common fields of all reports. */
interface Report extends Doc, KeptEvidence {
  /** See `reportKey`. */
  readonly _id: string;
  /** When it was received, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** The id of the reporter. */
  readonly user_id: string;
  /** Present until the feed has the event of the report. */
  readonly unannounced?: UnannouncedReport;
  /** Present until the inbox has the report. */
  readonly unfiled?: true;
}

/** What the event of a report needs besides the report. */
export interface UnannouncedReport {
  /** The reporter, or the administrator who acts as them; empty for the server. */
  readonly actor: string;
  /** The id of the HTTP request. */
  readonly request_id: string;
}

/** Finds the reports whose events the feed does not have. */
const UNANNOUNCED = { name: 'unannounced', keys: [['unannounced.actor', 1]], sparse: true } as const;

/** Finds the reports that the inbox does not have. */
const UNFILED = { name: 'unfiled', keys: [['unfiled', 1]], sparse: true } as const;

/** A report of an event. */
export interface EventReport extends Report {
  readonly room_id: string;
  readonly event_id: string;
  /** The id of the event's sender; null if it was no longer known. */
  readonly sender: string | null;
  readonly reason: string | null;
  readonly score: number | null;
  /** Whether the room is known to be removed, so that lists omit the report. */
  readonly room_gone: boolean;
}

/** A room with a reported event that existed at the last check. */
export interface ReportedRoom extends Doc {
  /** The room id. */
  readonly _id: string;
}

/** A report of a user. */
export interface UserReport extends Report {
  readonly target_user_id: string;
  readonly reason: string;
}

/** A report of a room. */
export interface RoomReport extends Report {
  readonly room_id: string;
  readonly reason: string;
}

/** A report of a medium, which the server makes itself. */
export interface MediaReport extends Doc, KeptEvidence {
  /** See `reportKey`. */
  readonly _id: string;
  readonly received_ts: number;
  /** The content URI of the medium. */
  readonly media_uri: string;
  /** The id of its uploader; null for none. */
  readonly uploader: string | null;
  readonly reason: string;
  /** What it is reported for: the same for further uploads of one content by one user; absent if that cannot be repeated. */
  readonly occasion?: string;
  /** Present until the feed has the event of the report. */
  readonly unannounced?: UnannouncedReport;
  readonly unfiled?: true;
}

/** Reports of events, by number. */
export const eventReports = declareCollection<EventReport>({
  name: 'moderation.event_reports',
  whileLoading: [],
  shardKey: '_id',
  search: ['user_id', 'room_id'],
  shared: ['user_id', 'room_id'],
  tally: 'room_gone',
  indexes: [
    UNANNOUNCED,
    UNFILED,
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
        // Included so that counting the reports of some reporters and rooms reads only the index.
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

/** The rooms with reported events, by room id, until they are known to be removed. */
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
    UNANNOUNCED,
    UNFILED,
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
  indexes: [
    UNANNOUNCED,
    UNFILED,
    {
      name: 'list_of_reporter',
      keys: [
        ['user_id', 1],
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
  ],
});

/** Reports of media, by number. */
export const mediaReports = declareCollection<MediaReport>({
  name: 'moderation.media_reports',
  shardKey: '_id',
  indexes: [
    UNANNOUNCED,
    UNFILED,
    {
      name: 'list_of_uploader',
      keys: [
        ['uploader', 1],
        ['received_ts', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'occasion',
      keys: [
        ['occasion', 1],
        ['received_ts', 1],
      ],
      sparse: true,
    },
  ],
});
