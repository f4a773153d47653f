import { choose } from '@steward/topology/testing';
import { activeUsers, emptyModel, openRooms } from './model.ts';
import { createRoom, createUser, OPERATIONS } from './operations.ts';
import { Watcher } from './watcher.ts';
import type { Workload } from './workload.ts';

/** The fewest active users. */
const USERS = 6;
/** The fewest open rooms. */
const ROOMS = 3;

/** Creates a workload with its watcher. */
export async function createWorkload(
  options: Pick<Workload, 'name' | 'random' | 'callers' | 'adminToken'>,
): Promise<Workload> {
  let given = 0;
  const { name } = options;
  const begun = { ...options, model: emptyModel(), fresh: (what: string) => `${what}-${name}-${given++}` };
  const user = await createUser(begun);
  const [token = ''] = user.tokens;
  return { ...begun, watcher: { user, sync: new Watcher(token) } };
}

/** Executes one operation after the other. The seed alone determines which, the machine how many. */
export async function runWorkload(workload: Workload, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    if (activeUsers(workload.model).length < USERS) await createUser(workload);
    else if (openRooms(workload.model).length < ROOMS) await createRoom(workload);
    else await choose(workload.random, OPERATIONS)(workload);
  }
}
