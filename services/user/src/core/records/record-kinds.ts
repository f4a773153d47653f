import {
  hourCountsKind,
  id,
  jsonText,
  optional,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import { collections } from '../collections.ts';
import {
  type AccountData,
  type AccountDataStream,
  accountData,
  accountDataId,
  accountDataStreams,
  sizeOf,
} from '../model/account-data.ts';
import { type Filter, filters } from '../model/filter.ts';
import { KEY_KINDS } from './key-kinds.ts';
import { SESSION_KINDS } from './session-kinds.ts';

const USER = id('The user id.');
const EPOCH = whole('The session epoch of the account, see `users`; 0 for an account without one.');

/** The kinds of records of the service that are its documents, in the order in which they are loaded. */
export const recordKinds: readonly RecordKind[] = [
  ...SESSION_KINDS,
  ...KEY_KINDS,
  recordKind<AccountData, 'bytes'>({
    name: 'account_data',
    about: 'An object of account data: push rules, tags of rooms (type `m.tag`), and what clients store.',
    collection: accountData,
    idOf: ({ user_id, room_id, type }) => accountDataId(user_id, { roomId: room_id, type }),
    owner: 'user_id',
    fields: {
      user_id: USER,
      room_id: text('The room that it is stored for; empty for the account as a whole.'),
      type: text('The type.'),
      content: jsonText('The object. Push rules contain what differs from the default ones.'),
      version: whole('How often it was changed.'),
      position: whole(
        'The position of its last change among those of the account, see `account_data_positions`.',
      ),
      epoch: EPOCH,
    },
    derived: { bytes: ({ room_id, type, content }) => sizeOf({ roomId: room_id, type }, content) },
  }),
  recordKind<AccountDataStream>({
    name: 'account_data_positions',
    about: 'The position of the last change of the account data of a user.',
    collection: accountDataStreams,
    key: ['user_id', 'The user id.'],
    owner: 'user_id',
    fields: {
      version: whole('The position of the last change.'),
      bytes: whole('The size of the data that counts towards the limit of the account.'),
      entries: optional(whole('The number of objects, which the server counts when it is absent.')),
      counted_ts: optional(whole('When they were last counted again.')),
      reserved_ts: optional(whole('When space was last reserved.')),
      pending: stillToDo(),
    },
  }),
  recordKind<Filter>({
    name: 'filters',
    about: 'A filter that a client has stored.',
    collection: filters,
    key: ['key', 'The user id, a space, and the id of the filter.'],
    owner: 'user_id',
    fields: { user_id: USER, filter: jsonText('The filter.'), epoch: EPOCH },
  }),
  hourCountsKind('user', collections.hourCounts),
];
