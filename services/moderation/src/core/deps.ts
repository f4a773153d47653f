import type { DeadLetters } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { Limits } from '@steward/limits';
import type { OpenedCollections } from '@steward/service';
import type { Notices } from '../peers/notice.ts';
import type { Rooms } from '../peers/rooms.ts';
import type { Tasks } from '../peers/tasks.ts';
import type { Users } from '../peers/users.ts';
import type { collections } from './collections.ts';

/** What the service's functions work with. Made once, by `service.ts`. */
export interface Deps extends OpenedCollections<typeof collections> {
  readonly serverName: string;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly random: Random;
  /** How long entries of the audit log are kept, in milliseconds. */
  readonly auditRetentionMs: number;
  readonly users: Users;
  readonly rooms: Rooms;
  readonly tasks: Tasks;
  readonly deadLetters: DeadLetters;
  readonly limits: Limits;
}
