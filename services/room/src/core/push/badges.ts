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

/** The unread messages of a room, up to an arrival in it. */
interface Count {
  readonly unread: number;
  readonly until: number;
}

/** The unread messages of a user, by room; rooms that are to be counted again are stale. */
interface Counts {
  readonly rooms: Map<string, Count>;
  readonly stale: Set<string>;
  /** The room that is being counted. */
  counting?: string | undefined;
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

  /**
   * Says that events have arrived in a room of a user, up to an arrival, and the arrivals of those that notify the user: none of them
   * changes what arrived before.
   */
  arrived(userId: string, roomId: string, notifying: readonly number[], upTo: number): void {
    const counts = this.#users.peek(userId);
    if (!counts) return;
    const known = counts.rooms.get(roomId);
    if (!known || counts.counting === roomId) return void counts.stale.add(roomId);
    const { unread, until } = known;
    const further = notifying.filter((arrival) => arrival > until).length;
    counts.rooms.set(roomId, { unread: unread + further, until: Math.max(until, upTo) });
  }

  /** Says that the unread messages of a room are to be counted again. */
  roomChanged(userId: string, roomId: string): void {
    this.#users.peek(userId)?.stale.add(roomId);
  }

  /** Says that a user has read something in one of their rooms. */
  hasRead(userId: string): void {
    const counts = this.#users.peek(userId);
    if (!counts) return;
    counts.reads++;
    for (const [roomId, { unread }] of counts.rooms) if (unread > 0) counts.stale.add(roomId);
  }

  /** The number of unread messages of a user. */
  total(userId: string): Promise<number> {
    return this.#totals.call(userId, undefined, () => this.#countAll(userId));
  }

  async #countAll(userId: string): Promise<number> {
    const counts = this.#users.get(userId) ?? (await this.#begin(userId));
    for (const roomId of [...counts.stale]) {
      counts.stale.delete(roomId);
      counts.counting = roomId;
      const { reads } = counts;
      try {
        counts.rooms.set(roomId, await this.#count(userId, roomId));
        if (counts.reads !== reads) counts.stale.add(roomId);
      } catch (error) {
        counts.stale.add(roomId);
        throw error;
      } finally {
        counts.counting = undefined;
      }
    }
    let total = 0;
    for (const { unread } of counts.rooms.values()) total += unread;
    return total;
  }

  async #begin(userId: string): Promise<Counts> {
    const counts: Counts = { rooms: new Map(), stale: new Set(), reads: 0 };
    this.#users.set(userId, counts);
    for (const roomId of await joinedRooms(this.#deps, userId)) counts.stale.add(roomId);
    return counts;
  }

  async #count(userId: string, roomId: string): Promise<Count> {
    const joined = await findJoined(this.#deps, roomId, userId);
    if (!joined) return { unread: 0, until: 0 };
    const receipts = (await receiptPositions(this.#deps, [roomId])).get(roomId) ?? 0;
    const counts = await countUnread(this.#deps, joined.room, joined.member, receipts);
    let unread = 0;
    for (const { notifications } of counts.values()) unread += notifications;
    return { unread, until: joined.room.arrival };
  }
}
