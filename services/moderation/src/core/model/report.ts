import type { Doc } from '@steward/store';

/** What all reports have. */
interface Report extends Doc {
  /** See `reportKey`. */
  readonly _id: string;
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** Who made it. */
  readonly user_id: string;
}

/** A report of an event. */
export interface EventReport extends Report {
  readonly room_id: string;
  readonly event_id: string;
  /** Who sent the event; null where that was not known any more. */
  readonly sender: string | null;
  readonly reason: string | null;
  readonly score: number | null;
  /** Whether the room is known to be gone: lists leave the report out then. */
  readonly room_gone: boolean;
}

/** A room of which an event was reported, and that was there when it was last looked for. */
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
