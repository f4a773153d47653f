import type { Random } from '@steward/kernel';
import type { Caller } from './caller.ts';
import type { Model, User } from './model.ts';
import type { Watcher } from './watcher.ts';

/** Clients that share one model, from the answers that each of them received. */
export interface Workload {
  readonly name: string;
  readonly random: Random;
  /** Each sends one request at a time. */
  readonly callers: readonly [Caller, ...Caller[]];
  readonly adminToken: string;
  readonly model: Model;
  /** A user who never leaves and is never deactivated. */
  readonly watcher: { readonly user: User; readonly sync: Watcher };
  /** A name that was not used before. */
  fresh(what: string): string;
}
