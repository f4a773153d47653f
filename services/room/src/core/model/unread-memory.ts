import { LRUCache } from 'lru-cache';
import type { PushRules } from '../protocol/mod.ts';

/** How many unread events are remembered in this process, of all users together; a room without any counts as one. */
const MAX_REMEMBERED = 1_000_000;

/** How many events are remembered as one object for all users whom they notify. */
const MAX_SHARED = 20_000;

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

/** How many events of a room, or a thread, notify a user and highlight it. */
export interface UnreadCounts {
  readonly notifications: number;
  readonly highlights: number;
}

/** The notifying events of a room for a user, between two arrivals. */
interface Remembered {
  /** By what the events were judged: as long as they are the same objects, the judgement stays. */
  readonly rules: PushRules;
  readonly ignored: ReadonlySet<string>;
  readonly read: ReadUpTo;
  /** The membership epoch of the user, and the position of the last receipt of the room, of which `read` is. */
  readonly stay: number;
  readonly receipts: number;
  readonly until: number;
  /** In the order of arrival. A count that continues this one adds to it in place. */
  readonly events: Notifying[];
  /** The counts of `events`, by thread. */
  readonly counts: ReadonlyMap<string, UnreadCounts>;
}

/** What is unread for users, as far as this process has counted it. */
export class UnreadMemory {
  readonly #rooms = new LRUCache<string, Remembered>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ events }) => 1 + events.length,
  });
  readonly #shared = new LRUCache<string, Notifying>({ max: MAX_SHARED });

  of(userId: string, roomId: string): Remembered | undefined {
    return this.#rooms.get(keyOf(userId, roomId));
  }

  set(userId: string, roomId: string, remembered: Remembered): void {
    this.#rooms.set(keyOf(userId, roomId), remembered);
  }

  /** The object that stands for an event with all users whom it notifies in the same way. */
  shared(event: Notifying): Notifying {
    const key = `${event.id} ${event.highlights}`;
    const known = this.#shared.get(key);
    if (known) return known;
    this.#shared.set(key, event);
    return event;
  }
}

function keyOf(userId: string, roomId: string): string {
  return `${userId} ${roomId}`;
}
