import { declareCollection, declareServerKeys, type IndexDeclaration, PENDING_INDEX } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import type { Alias } from './model/alias.ts';
import type { Block } from './model/block.ts';
import type { StoredCursor } from './model/cursor.ts';
import type { EventDocument } from './model/event-document.ts';
import type { ImportDocument } from './model/import-document.ts';
import type { MemberDocument } from './model/member.ts';
import type { Room } from './model/room.ts';
import type { StateDocument } from './model/state-document.ts';

/** What lists of rooms are sorted by. Ties follow the direction of the key, so that one index serves both. */
const SORT_KEYS = [
  'name',
  'canonical_alias',
  'creator',
  'encryption',
  'federatable',
  'public',
  'join_rules',
  'guest_access',
  'history_visibility',
  'joined_members',
  'joined_local_members',
  'room_version',
  'state_events',
] as const satisfies readonly (keyof Room)[];

const listIndexes = SORT_KEYS.map(
  (key): IndexDeclaration<Room> => ({ name: `list_${key}`, keys: [[key, 1]] }),
);

/**
 * Rooms, by room id: the aggregate. Its version admits events one batch at a time, and its `pending` names
 * those that are not everywhere yet.
 */
export const rooms = declareCollection<Room>({
  name: 'room.rooms',
  shardKey: '_id',
  arrays: ['pending'],
  search: ['folded_name', 'folded_alias'],
  indexes: [
    ...listIndexes,
    {
      name: 'directory',
      keys: [
        ['public', 1],
        ['joined_members', -1],
        ['_id', 1],
      ],
    },
    { name: 'size', keys: [['event_bytes', -1]] },
    { name: 'founded_by', keys: [['founded_by', 1]], sparse: true },
    PENDING_INDEX,
  ],
});

/** Events, by event id. Those without an arrival number cannot be seen, and are swept if they stay so. */
export const events = declareCollection<EventDocument>({
  name: 'room.events',
  shardKey: '_id',
  arrays: ['media'],
  indexes: [
    {
      name: 'arrival',
      keys: [
        ['room_id', 1],
        ['arrival', 1],
      ],
    },
    {
      name: 'depth',
      keys: [
        ['room_id', 1],
        ['depth', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'time',
      keys: [
        ['room_id', 1],
        ['origin_server_ts', 1],
        ['depth', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'sender',
      keys: [
        ['sender', 1],
        ['room_id', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'media',
      keys: [
        ['room_id', 1],
        ['media', 1],
      ],
    },
    {
      name: 'relations',
      keys: [
        ['relates_to', 1],
        ['rel_type', 1],
        ['sender', 1],
      ],
      sparse: true,
    },
    {
      name: 'invites',
      keys: [
        ['inviter', 1],
        ['received_ts', 1],
      ],
      sparse: true,
    },
    { name: 'received', keys: [['received_ts', 1]] },
    { name: 'avatar', keys: [['avatar', 1]], sparse: true },
    { name: 'txn', keys: [['txn', 1]], sparse: true },
    { name: 'unseen', keys: [['unseen_since', 1]], sparse: true },
  ],
});

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

/** What users are in rooms, by room and user. */
export const members = declareCollection<MemberDocument>({
  name: 'room.members',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_room',
      keys: [
        ['room_id', 1],
        ['membership', 1],
        ['user_id', 1],
      ],
    },
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['membership', 1],
        ['stay', 1],
        ['room_id', 1],
      ],
    },
    {
      name: 'remembered',
      keys: [
        ['room_id', 1],
        ['local', 1],
        ['forgotten', 1],
        ['membership', 1],
      ],
    },
  ],
});

/** Aliases. */
export const aliases = declareCollection<Alias>({
  name: 'room.aliases',
  shardKey: '_id',
  indexes: [{ name: 'by_room', keys: [['room_id', 1]] }],
});

/** Blocked rooms, by room id. */
export const blocks = declareCollection<Block>({ name: 'room.blocks', shardKey: '_id', indexes: [] });

/** Events of loads in bulk, on their way to where they belong. */
export const imports = declareCollection<ImportDocument>({
  name: 'room.imports',
  shardKey: '_id',
  indexes: [{ name: 'age', keys: [['created_ts', 1]] }],
});

/** Keys that all instances of the service share. */
export const serverKeys = declareServerKeys('room');

/** How much clients know, by user and number: where their syncs go on. */
export const cursors = declareCollection<StoredCursor>({
  name: 'room.cursors',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_session',
      keys: [
        ['user_id', 1],
        ['session', 1],
        ['number', 1],
      ],
    },
    { name: 'created', keys: [['created_ts', 1]] },
  ],
});

/** What the service does in the background, and for longer than a process lives. */
export const tasks = declareTasks('room');
