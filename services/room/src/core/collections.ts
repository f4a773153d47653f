import { type Collection, type CollectionDeclaration, declareServerKeys, type Store } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import { aliases } from './model/alias.ts';
import { blocks } from './model/block.ts';
import { cursors } from './model/cursor.ts';
import { events } from './model/event-document.ts';
import { imports } from './model/import-document.ts';
import { members } from './model/member.ts';
import { rooms } from './model/room.ts';
import { states } from './model/state-document.ts';

/** The collections of the service, by the names under which `Deps` holds them. */
export const collections = { rooms, events, states, members, aliases, blocks, imports, cursors };

/** The collections, opened. */
export type Collections = {
  readonly [K in keyof typeof collections]: (typeof collections)[K] extends CollectionDeclaration<infer T>
    ? Collection<T>
    : never;
};

/** Opens all of them, one after the other, so that their indexes are built in one go. */
export async function openCollections(store: Store): Promise<Collections> {
  const opened: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(collections)) {
    opened[name] = await store.collection(declaration as CollectionDeclaration<never>);
  }
  return opened as unknown as Collections;
}

/** Keys that all instances of the service share. */
export const serverKeys = declareServerKeys('room');

/** The collections of the tasks that outlive a request and the process that began them. */
export const tasks = declareTasks('room');
