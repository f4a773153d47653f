import type { Doc } from '@steward/store';

/** The end of an interval that has none: the state event is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;

/**
 * When a state event was part of a room's state: at arrival N, if `from` <= N < `until`. Inserted with
 * its event, as an empty interval, which the commit of the room then opens.
 */
export interface StateDocument extends Doc {
  /** The event id. */
  readonly _id: string;
  readonly room_id: string;
  readonly type: string;
  readonly state_key: string;
  readonly from: number;
  /** `CURRENT` while nothing has replaced it. */
  readonly until: number;
}

/** The interval of a state event that has not arrived. */
export const EMPTY_INTERVAL = { from: CURRENT, until: 0 } as const;
