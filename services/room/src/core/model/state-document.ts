import { type Doc, declareCollection } from '@steward/store';

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

/** The intervals of state events, by event id: the state of a room now and at every arrival. */
export const states = declareCollection<StateDocument>({
  name: 'room.state',
  shardKey: 'room_id',
  indexes: [
    {
      name: 'at',
      keys: [
        ['room_id', 1],
        ['until', 1],
        ['type', 1],
        ['state_key', 1],
      ],
    },
    {
      name: 'history',
      keys: [
        ['room_id', 1],
        ['type', 1],
        ['state_key', 1],
        ['from', 1],
      ],
    },
    // Wider than it need be, so that engines take `at` for the state at an arrival.
    {
      name: 'changed',
      keys: [
        ['room_id', 1],
        ['from', 1],
        ['until', 1],
        ['type', 1],
        ['state_key', 1],
      ],
    },
  ],
});
