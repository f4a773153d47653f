import {
  flag,
  hourCountsKind,
  id,
  jsonText,
  object,
  oneOf,
  optional,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import type { CollectionDeclaration, Doc } from '@steward/store';
import { collections } from '../collections.ts';
import { type Alias, aliases } from '../model/alias.ts';
import { type Block, blocks, isBlocking } from '../model/block.ts';
import { cursors, type StoredCursor } from '../model/cursor.ts';
import { type MemberDocument, memberId, members } from '../model/member.ts';
import { type PurgedRoom, purgedRooms } from '../model/purged-room.ts';
import {
  FULLY_READ,
  RECEIPT_TYPES,
  type Receipt,
  type ReceiptStream,
  receiptId,
  receiptStreams,
  receipts,
} from '../model/receipt.ts';

const ROOM = 'The room id.';

/** The kinds of records of the service that are loaded before rooms, which find them. */
export const recordKindsBeforeRooms: readonly RecordKind[] = [
  recordKind<Alias>({
    name: 'aliases',
    room: 'room_id',
    about: 'An alias of a room. It resolves once its room is loaded, and is loaded before it.',
    collection: aliases,
    key: ['alias', 'The alias.'],
    owner: 'creator',
    fields: {
      room_id: id(ROOM),
      creator: id('The user who created it.'),
      created_ts: whole('When it was created.'),
    },
  }),
  recordKind<Block, 'unsettled'>({
    name: 'room_blocks',
    room: 'room_id',
    about: 'The block of a room, which need not exist.',
    collection: blocks,
    key: ['room_id', ROOM],
    fields: {
      user_id: optional(id('The administrator who blocked it.')),
      blocked_ts: optional(whole('When it was blocked; 0 if that is not known.')),
    },
    // The load of the room shows it.
    derived: { unsettled: () => undefined },
    exports: (block) => isBlocking(block),
  }),
];

/** The parts of a membership that do not follow from its event. */
type Forgotten = Pick<MemberDocument, '_id' | 'room_id' | 'user_id'>;

/** The name of the kind of records that say who forgot which room. */
export const FORGOTTEN_ROOMS = 'forgotten_rooms';

/** The kinds of records of the service that are loaded after events. */
export const recordKindsAfterEvents: readonly RecordKind[] = [
  recordKind<Forgotten>({
    name: FORGOTTEN_ROOMS,
    room: 'room_id',
    about: 'A user has left a room and forgotten it. The events of the room are loaded before.',
    collection: members as CollectionDeclaration<Doc> as CollectionDeclaration<Forgotten>,
    idOf: ({ room_id, user_id }) => memberId(room_id, user_id),
    owner: 'user_id',
    fields: { room_id: id(ROOM), user_id: id('The user id.') },
    exports: (member) => (member as MemberDocument).forgotten,
  }),
  recordKind<PurgedRoom>({
    name: 'purged_rooms',
    room: 'room_id',
    about: 'A room that was purged, which clients that were away may still show.',
    collection: purgedRooms,
    key: ['room_id', ROOM],
    fields: { purged_ts: whole('When it was purged.') },
  }),
  recordKind<StoredCursor, 'keys'>({
    name: 'sync_positions',
    about: 'What a client knows at a token of sync, so that it goes on from there.',
    collection: cursors,
    key: ['position', 'The user id, a space, and the number of the position.'],
    owner: 'user_id',
    fields: {
      user_id: id('The user id.'),
      session: text('The session of the client.'),
      number: whole('The number of the position.'),
      created_ts: whole('When it was stored.'),
      milestone: flag('Whether it is kept for a client that returns with an old token.'),
      account_data: whole('The position of the account data that the client knows.'),
      delivery: optional(
        object<NonNullable<StoredCursor['delivery']>>('The messages between devices in its response.', {
          response: whole('The number of the response.'),
          sent: whole('The last of the messages.'),
        }),
      ),
      ephemeral: optional(
        jsonText('What the client knows of receipts and typing, by the place of the room.'),
      ),
      rooms: jsonText('The rooms with membership and the `arrival` of the last event that the client knows.'),
    },
    // The order of changes of keys begins anew.
    derived: { keys: () => undefined },
  }),
  recordKind<Receipt>({
    name: 'receipts',
    room: 'room_id',
    about: 'How far a user has read a room, or one of its threads; also the marker of what was fully read.',
    collection: receipts,
    idOf: ({ room_id, user_id, type, thread_id }) => receiptId(room_id, { user_id, type, thread_id }),
    owner: 'user_id',
    fields: {
      room_id: id(ROOM),
      user_id: id('The user id.'),
      type: oneOf([...RECEIPT_TYPES, FULLY_READ], 'The type.'),
      thread_id: text('The event that begins the thread, or `main`; empty for the room as a whole.'),
      event_id: id('The last event that was read.'),
      arrival: whole('Its `arrival`, see `events`.'),
      ts: whole('When it was read.'),
      position: whole('The position among the receipts of the room; 0 until it is announced.'),
      announced: whole('The arrival that was last announced.'),
    },
  }),
  recordKind<ReceiptStream>({
    name: 'receipt_positions',
    room: 'room_id',
    about: 'The position of the last receipt of a room.',
    collection: receiptStreams,
    key: ['room_id', ROOM],
    fields: { version: whole('The position.'), pending: stillToDo() },
  }),
  hourCountsKind('room', collections.hourCounts),
];
