import { type Doc, declareCollection } from '@steward/store';
import type { EventDocument } from './event-document.ts';

/** The end of an open interval: the state event is current. */
export const CURRENT = Number.MAX_SAFE_INTEGER;

/**
 * The interval in which a state event is part of a room's state: at arrival N, if `from` <= N < `until`. Inserted with
 * its event as an empty interval, which the effect of the commit opens.
 */
export interface StateDocument extends Doc {
  /** The event id; of an interval other than the last one of its event, see `ownIntervalsOf`. */
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

/** What precedes the number of an interval; event ids have no control characters. */
const NUMBERED = '\u001f';

/**
 * The intervals of an imported state event that has intervals of its own, see `in_state`. The last one has the id of the event,
 * because it is the one that a later event closes.
 */
export function ownIntervalsOf({
  _id,
  room_id,
  type,
  state_key = '',
  in_state = [],
}: Pick<EventDocument, '_id' | 'room_id' | 'type' | 'state_key' | 'in_state'>): readonly StateDocument[] {
  const key = { room_id, type, state_key };
  return in_state.map(({ from, until = CURRENT }, index) =>
    index === in_state.length - 1
      ? { _id, ...key, from, until }
      : { _id: `${_id}${NUMBERED}${index}`, ...key, from, until },
  );
}

/** The id of the event of an interval. */
export function eventIdOf({ _id }: Pick<StateDocument, '_id'>): string {
  const end = _id.indexOf(NUMBERED);
  return end < 0 ? _id : _id.slice(0, end);
}

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
