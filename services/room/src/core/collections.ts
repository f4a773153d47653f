import type { OpenedCollections } from '@steward/service';
import { declareHourCounts } from '@steward/statistics';
import { declareServerKeys } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import { aliases } from './model/alias.ts';
import { blocks } from './model/block.ts';
import { cursors } from './model/cursor.ts';
import { events } from './model/event-document.ts';
import { imports } from './model/import-document.ts';
import { members } from './model/member.ts';
import { purgedRooms } from './model/purged-room.ts';
import { pushLeases, pushPositions, pushQueues, pushStates } from './model/push.ts';
import { receiptStreams, receipts } from './model/receipt.ts';
import { rooms } from './model/room.ts';
import { searchEntries, searchPositions } from './model/search-entry.ts';
import { states } from './model/state-document.ts';

/** The collections of the service, by the names under which `Deps` holds them. */
export const collections = {
  rooms,
  events,
  states,
  members,
  aliases,
  blocks,
  purgedRooms,
  imports,
  cursors,
  receipts,
  receiptStreams,
  pushLeases,
  pushPositions,
  pushQueues,
  pushStates,
  searchEntries,
  searchPositions,
  hourCounts: declareHourCounts('room'),
};

/** The collections, opened. */
export type Collections = OpenedCollections<typeof collections>;

/** Keys that all instances of the service share. */
export const serverKeys = declareServerKeys('room');

/** The collections of the service's tasks. */
export const tasks = declareTasks('room');
