import { type Doc, declareCollection } from '@steward/store';

/** The words by which an event is found. It exists for events of rooms that were searched, see `fillIndex`. */
export interface SearchEntry extends Doc {
  /** The event id. */
  readonly _id: string;
  readonly room_id: string;
  readonly type: string;
  readonly received_ts: number;
  readonly arrival: number;
  /** Different words, see `wordsOf`; as many as `MAX_WORDS`. */
  readonly words: readonly string[];
}

/** Up to where the events of a room have entries. It exists for rooms that were searched. */
export interface SearchPosition extends Doc {
  /** The room id. */
  readonly _id: string;
  readonly arrival: number;
  /** The latest `received_ts` of its entries; 0 if it never had one. */
  readonly newest_ts: number;
}

/** Entries, by event. */
export const searchEntries = declareCollection<SearchEntry>({
  name: 'room.search_entries',
  shardKey: 'room_id',
  arrays: ['words'],
  indexes: [
    {
      // By room first: what a search reads depends on the rooms of its user only.
      name: 'words_in_room',
      keys: [
        ['room_id', 1],
        ['words', 1],
        ['received_ts', -1],
        ['arrival', -1],
        ['_id', -1],
      ],
    },
    {
      name: 'in_room',
      keys: [
        ['room_id', 1],
        ['arrival', 1],
      ],
    },
  ],
});

/** Positions, by room. */
export const searchPositions = declareCollection<SearchPosition>({
  name: 'room.search_positions',
  shardKey: '_id',
  indexes: [],
});
