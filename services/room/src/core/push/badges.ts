import { KeyedGroups } from '@steward/kernel';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../deps.ts';
import { joinedRooms } from '../membership/joined-rooms.ts';
import { receiptPositions } from '../receipts/read-receipts.ts';
import { findJoined } from '../unread/find-joined.ts';
import { countUnread } from '../unread/unread.ts';

/** How many users are remembered. */
const MAX_USERS = 2_000;

/** How many calls one count answers. */
const MAX_WAITING = 100;

/** The unread messages of a user, by room; rooms that are to be counted again are stale. */
interface Counts {
  readonly rooms: Map<string, number>;
  readonly stale: Set<string>;
  /** How often the user has read something: what is counted then is counted again. */
  reads: number;
}

/** How many unread messages users have in all their rooms, as far as this process has counted them. */
export class Badges {
  readonly #deps: Deps;
  readonly #users = new LRUCache<string, Counts>({ max: MAX_USERS });
  /** The counts of each user: one at a time, because another would miss what this one has not counted yet. */
  readonly #totals = new KeyedGroups<undefined, number>(MAX_WAITING);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Says that events have arrived in a room of a user. */
  roomChanged(userId: string, roomId: string): void {
    this.#users.peek(userId)?.stale.add(roomId);
  }

  /** Says that a user has read something in one of their rooms. */
  hasRead(userId: string): void {
    const counts = this.#users.peek(userId);
    if (!counts) return;
    counts.reads++;
    for (const [roomId, count] of counts.rooms) if (count > 0) counts.stale.add(roomId);
  }

  /** The number of unread messages of a user. */
  total(userId: string): Promise<number> {
    return this.#totals.call(userId, undefined, () => this.#countAll(userId));
  }

  async #countAll(userId: string): Promise<number> {
    const counts = this.#users.get(userId) ?? (await this.#begin(userId));
    for (const roomId of [...counts.stale]) {
      counts.stale.delete(roomId);
      const { reads } = counts;
      try {
        counts.rooms.set(roomId, await this.#count(userId, roomId));
        if (counts.reads !== reads) counts.stale.add(roomId);
      } catch (error) {
        counts.stale.add(roomId);
        throw error;
      }
    }
    let total = 0;
    for (const count of counts.rooms.values()) total += count;
    return total;
  }

  async #begin(userId: string): Promise<Counts> {
    const counts: Counts = { rooms: new Map(), stale: new Set(), reads: 0 };
    this.#users.set(userId, counts);
    for (const roomId of await joinedRooms(this.#deps, userId)) counts.stale.add(roomId);
    return counts;
  }

  async #count(userId: string, roomId: string): Promise<number> {
    const joined = await findJoined(this.#deps, roomId, userId);
    if (!joined) return 0;
    const receipts = (await receiptPositions(this.#deps, [roomId])).get(roomId) ?? 0;
    const counts = await countUnread(this.#deps, joined.room, joined.member, receipts);
    let total = 0;
    for (const { notifications } of counts.values()) total += notifications;
    return total;
  }
}
