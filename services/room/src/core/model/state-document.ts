import { type Doc, declareCollection } from '@steward/store';

/** The end of an open interval: the state event is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;

/**
 * The interval in which a state event is part of a room's state: at arrival N, if `from` <= N < `until`. Inserted with
 * its event as an empty interval, which the effect of the commit opens.
 */
export interface StateDocument extends Doc {
  /** The event id. */
  readonly _id: string;
  readonly room_id: string;
  readonly type: string;
  readonly state_key: string;
  readonly from: number;
  /** `CURRENT` until another event replaces it. */
  readonly until: number;
}

/** The interval of a state event that has not arrived. */
export const EMPTY_INTERVAL = { from: CURRENT, until: 0 } as const;

/** The intervals of state events, by event id: the state of a room now and at every arrival. */
export const states = declareCollection<StateDocument>({
  name: 'room.state',
  whileLoading: ['at'],
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
    // Has more keys than necessary, so that engines prefer `at` for the state at an arrival.
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
