import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Broadcast, BroadcastOptions } from '@steward/events';
import { type Clock, type Random, randomId } from '@steward/kernel';
import { type Counts, CountsSchema } from '@steward/proto/steward/limits/v1/counts_pb.ts';
import { LRUCache } from 'lru-cache';
import { LeakyBuckets } from './leaky-buckets.ts';

/** How instances share what they count. */
export interface SharedBucketsOptions {
  /** The service whose instances they are. */
  readonly service: string;
  /** The names of the limits. Counts of others, e.g. of a later release, are ignored. */
  readonly limits: readonly string[];
  readonly openBroadcast: (options: BroadcastOptions) => Promise<Broadcast>;
  readonly clock: Clock;
  readonly random: Random;
  /** Calls a function a little later; after 5 ms by default. */
  readonly later?: (fn: () => void) => void;
}

/** The buckets of limits that the instances of a service share. */
export interface SharedBuckets {
  /** The buckets of a limit of the options. */
  of(limit: string): LeakyBuckets;
  /** Sends what was counted, and receives nothing more. */
  close(): void;
}

/** How long counts are collected for one message. Others admit in this time what they would have refused. */
const COLLECTING_MS = 5;

/** The keys of one message, which stays below half of what the broker accepts, also with the longest keys. */
const MAX_KEYS_PER_MESSAGE = 2_000;

/** How many keys may wait for a message, e.g. while the broker is away. What else is counted then is not shared. */
const MAX_WAITING_KEYS = 20_000;

/** Maximum number of senders whose last sequence number is kept. */
const MAX_SENDERS = 1_000;

/** Actions of one key that were counted here and not sent yet. */
interface Waiting {
  readonly limit: string;
  readonly key: string;
  count: number;
  perSecond: number;
}

/**
 * Opens the buckets of limits that the instances of a service share. Each instance decides by its own buckets; it sends what
 * it counts, and adds what the others send. The permissions of the broker say who
 * may send and read these messages. Without the broker each instance counts for itself; when it is back, instances send what they have
 * counted and has not leaked away.
 *
 * Resolves when the counts that the broker remembers were added.
 */
export async function openSharedBuckets(options: SharedBucketsOptions): Promise<SharedBuckets> {
  const { service, limits, openBroadcast, clock, random } = options;
  const later = options.later ?? ((fn) => void setTimeout(fn, COLLECTING_MS).unref());
  const sender = randomId(random);
  const lastNumbers = new LRUCache<string, number>({ max: MAX_SENDERS });
  let waiting = new Map<string, Waiting>();
  let number = 0;
  let isScheduled = false;
  let broadcast: Broadcast | undefined;

  const send = () => {
    isScheduled = false;
    if (!broadcast?.isConnected) return;
    const all = [...waiting.values()].filter(({ count }) => count !== 0);
    waiting = new Map();
    for (let start = 0; start < all.length; start += MAX_KEYS_PER_MESSAGE) {
      const part = Map.groupBy(all.slice(start, start + MAX_KEYS_PER_MESSAGE), ({ limit }) => limit);
      const message = create(CountsSchema, {
        sender,
        number: ++number,
        limits: [...part].map(([limit, keys]) => ({ limit, keys })),
      });
      broadcast.send(toBinary(CountsSchema, message));
    }
  };

  const count = (limit: string, key: string, actions: number, perSecond: number) => {
    const name = `${limit} ${key}`;
    const known = waiting.get(name);
    if (known) {
      known.count += actions;
      known.perSecond = perSecond;
    } else if (waiting.size < MAX_WAITING_KEYS) {
      waiting.set(name, { limit, key, count: actions, perSecond });
    }
    if (isScheduled || !broadcast?.isConnected) return;
    isScheduled = true;
    later(send);
  };

  const buckets = new Map(
    limits.map((limit) => {
      const counted = (key: string, actions: number, perSecond: number) =>
        count(limit, key, actions, perSecond);
      return [limit, new LeakyBuckets(clock, { counted })];
    }),
  );

  const receive = (message: Uint8Array, ageMs: number) => {
    const counts = readCounts(message);
    if (!counts || counts.sender === sender) return;
    if (counts.number <= (lastNumbers.get(counts.sender) ?? 0)) return;
    lastNumbers.set(counts.sender, counts.number);
    for (const { limit, keys } of counts.limits) {
      const shared = buckets.get(limit);
      for (const { key, count: actions, perSecond } of keys) shared?.add(key, perSecond, actions, ageMs);
    }
  };

  /** Sends what was counted while disconnected; counts that have expired are left out. */
  const sendMissed = () => {
    for (const missed of waiting.values()) {
      const left = buckets.get(missed.limit)?.fillOf(missed.key, missed.perSecond) ?? 0;
      missed.count = Math.min(missed.count, left);
    }
    send();
  };

  broadcast = await openBroadcast({ topic: service, receive, connected: sendMissed });
  return {
    of(limit) {
      const found = buckets.get(limit);
      if (!found) throw new TypeError(`There is no limit ${limit}`);
      return found;
    },
    close() {
      send();
      broadcast?.close();
    },
  };
}

/** The counts of a message; `undefined` when it cannot be read. */
function readCounts(message: Uint8Array): Counts | undefined {
  try {
    return fromBinary(CountsSchema, message);
  } catch {
    return undefined;
  }
}
