import type { Bus, Outbox, Relay } from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { FairSlots, OpenLimits, Quotas } from '@steward/limits';
import type { Authority } from '@steward/rpc';
import type { CountOf, Counts } from '@steward/statistics';
import type { StoreCapabilities } from '@steward/store';
import type { Tasks } from '@steward/tasks';
import type { AccountFeeds } from '../peers/account-feeds.ts';
import type { AccountMemory } from '../peers/account-memory.ts';
import type { Users } from '../peers/users.ts';
import type { Collections } from './collections.ts';
import type { DeviceCounts } from './model/device-counts.ts';
import type { RoomMemory } from './model/room-memory.ts';
import type { UnreadMemory } from './model/unread-memory.ts';
import type { PushRules, SigningKey } from './protocol/mod.ts';
import type { AppendJob } from './queues/append-job.ts';
import type { ReceiptJob } from './queues/receipt-job.ts';
import type { ReceiptNews } from './queues/receipt-news.ts';
import type { RoomQueues } from './queues/room-queues.ts';
import type { Waiters } from './queues/waiters.ts';
import type { Typing } from './typing/typing.ts';

/** The dependencies of the service's functions. Made once, by `service.ts`. */
export interface Deps extends Collections {
  readonly serverName: string;
  readonly settings: Settings;
  /** What the engine of the collections guarantees. */
  readonly capabilities: StoreCapabilities;
  readonly clock: Clock;
  readonly random: Random;
  readonly users: Users;
  readonly authority: Authority;
  readonly limits: OpenLimits;
  readonly quotas: Quotas;
  /** Counts what happens, for the statistics. */
  readonly counts: Counts<CountOf<'room'>>;
  readonly bus: Pick<Bus, 'notify' | 'onNotification'>;
  readonly outbox: Outbox;
  readonly relay: Pick<Relay, 'notify' | 'delivered'>;
  readonly queues: RoomQueues<AppendJob>;
  readonly tasks: Tasks;
  readonly accountFeeds: AccountFeeds;
  /** The users whom each user ignores. */
  readonly ignoredUsers: AccountMemory<ReadonlySet<string>>;
  readonly pushRules: AccountMemory<PushRules>;
  readonly unread: UnreadMemory;
  readonly waiters: Waiters;
  /** Receipts that wait for their positions, by room. */
  readonly receiptQueues: RoomQueues<ReceiptJob>;
  readonly receiptNews: ReceiptNews;
  readonly typing: Typing;
  /** Run the work of syncs, by user; they are limited, because each holds a whole response in memory. */
  readonly syncSlots: FairSlots;
  /** Run searches, by user; they are limited, because each may index many messages. */
  readonly searchSlots: FairSlots;
  readonly memory: RoomMemory;
  readonly deviceCounts: DeviceCounts;
  /** Signs the events of this server; the same in every instance. */
  readonly signingKey: SigningKey;
  /** Numbers the membership epochs; each number is greater than those before it. */
  readonly nextMembershipEpoch: () => number;
  /** Derives the event ids with which requests of shadow-banned users are answered; the same in every instance. */
  readonly inventionKey: Buffer;
}

/** The settings of the server that the room service uses. */
export interface Settings {
  /** The version of a new room whose creation request names none. */
  readonly defaultRoomVersion: string;
  /** How many users may be invited when a room is created. */
  readonly maxFirstInvites: number;
  /** Whether there is a directory of public rooms, and whether reading it requires an access token. */
  readonly publicRooms: { readonly enabled: boolean; readonly requireAuth: boolean };
  /** The contact that is given to users beyond the limit of monthly active users, as a URI. */
  readonly adminContact: string | undefined;
  /** The sender of server notices, also while none are sent. Whether an account of that name is the server's, `isNoticesAccount` tells. */
  readonly noticesUserId: string;
  /** The longest that a response waits for the consumers of facts, in milliseconds. */
  readonly deliveryWaitMs: number;
  /** How long shadow-banned users wait, in milliseconds: at least, and at most. */
  readonly shadowBanPauseMs: readonly [least: number, most: number];
  readonly retention: MessageRetention;
  /** Whether members of a room see which administrator ordered an event. */
  readonly showOrders: boolean;
}

/** How long messages are kept, in milliseconds; what has no value is kept for ever. */
export interface MessageRetention {
  /** How often old messages are looked for. */
  readonly intervalMs: number;
  readonly maxAgeMs: number | undefined;
  /** Other ages for single rooms, by their ids. */
  readonly rooms: Readonly<Record<string, number | 'forever'>>;
}
