import type { DeadLetters } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { OpenLimits, Quotas } from '@steward/limits';
import type { OpenedCollections } from '@steward/service';
import type { MediaUsage } from '../peers/media.ts';
import type { Notices } from '../peers/notice.ts';
import type { Rooms } from '../peers/rooms.ts';
import type { Tasks } from '../peers/tasks.ts';
import type { Users } from '../peers/users.ts';
import type { collections } from './collections.ts';
import type { Server } from './server.ts';

/** The dependencies of the service's functions, created once by `service.ts`. */
export interface Deps extends OpenedCollections<typeof collections> {
  readonly serverName: string;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly random: Random;
  /** The retention of entries of the audit log, in milliseconds. */
  readonly auditRetentionMs: number;
  readonly users: Users;
  readonly rooms: Rooms;
  readonly tasks: Tasks;
  readonly deadLetters: DeadLetters;
  readonly server: Server;
  readonly media: MediaUsage;
  readonly limits: OpenLimits;
  readonly quotas: Quotas;
}
