import { LRUCache } from 'lru-cache';
import type { PushRules } from '../protocol/mod.ts';

/** How many unread events are remembered in this process, of all users together; a room without any counts as one. */
const MAX_REMEMBERED = 200_000;

/** An unread event that notifies its user. */
export interface Notifying {
  readonly id: string;
  readonly arrival: number;
  readonly thread: string;
  readonly highlights: boolean;
}

/** How far a member has read a room. */
export interface ReadUpTo {
  /** The arrival up to which nothing is unread: of a receipt, or of the join. */
  readonly start: number;
  /** The arrivals of the receipts of threads. */
  readonly threads: ReadonlyMap<string, number>;
}

/** The notifying events of a room for a user, between two arrivals. */
interface Remembered {
  readonly rules: PushRules;
  readonly read: ReadUpTo;
  /** The membership epoch of the user, and the position of the last receipt of the room, of which `read` is. */
  readonly stay: number;
  readonly receipts: number;
  readonly until: number;
  readonly events: readonly Notifying[];
}

/** What is unread for users, as far as this process has counted it. */
export type UnreadMemory = LRUCache<string, Remembered>;

/** Creates the memory of a process. */
export function createUnreadMemory(): UnreadMemory {
  return new LRUCache({ maxSize: MAX_REMEMBERED, sizeCalculation: ({ events }) => 1 + events.length });
}
