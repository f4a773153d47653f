import type { Random } from '@steward/kernel';
import { choose } from '@steward/topology/testing';
import type { Caller } from './caller.ts';
import { activeUsers, emptyModel, type Model, openRooms, type User } from './model.ts';
import { createRoom, createUser, OPERATIONS } from './operations.ts';
import { Watcher } from './watcher.ts';

/** How many users there are at least to do something. */
const USERS = 6;
/** How many rooms. */
const ROOMS = 3;

/** Clients that work together: what each was told all of them know. */
export interface Crew {
  readonly name: string;
  readonly random: Random;
  /** Each does one thing at a time. */
  readonly hands: readonly [Caller, ...Caller[]];
  readonly adminToken: string;
  readonly model: Model;
  /** A user who stays. */
  readonly watcher: { readonly user: User; readonly sync: Watcher };
  /** A name that was not given before. */
  fresh(what: string): string;
}

/** A crew, with its watcher. */
export async function createCrew(
  options: Pick<Crew, 'name' | 'random' | 'hands' | 'adminToken'>,
): Promise<Crew> {
  let given = 0;
  const { name } = options;
  const begun = { ...options, model: emptyModel(), fresh: (what: string) => `${what}-${name}-${given++}` };
  const user = await createUser(begun);
  const [token = ''] = user.tokens;
  return { ...begun, watcher: { user, sync: new Watcher(token) } };
}

/** Does one thing after the other. What that is depends on the seed alone, how far it comes on the machine. */
export async function work(crew: Crew, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    if (activeUsers(crew.model).length < USERS) await createUser(crew);
    else if (openRooms(crew.model).length < ROOMS) await createRoom(crew);
    else await choose(crew.random, OPERATIONS)(crew);
  }
}
