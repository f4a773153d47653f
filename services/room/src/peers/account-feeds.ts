import type { MessageShape } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import {
  type AccountDataChange,
  AccountFeedService,
  type KeyChangesSchema,
} from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { authenticateThrough, callPeer } from '@steward/rpc';

/** Which account's feed to read, and since when. */
export interface FeedRequest {
  readonly userId: string;
  readonly deviceId: string | undefined;
  /** The position up to which the client knows the account data; undefined if it knows none. */
  readonly since: number | undefined;
  /** Rooms whose account data is read even if it has not changed. */
  readonly allOfRooms: readonly string[];
  /** The messages that the device has received; undefined when it has received none. */
  readonly received: Delivery | undefined;
  /** The position up to which the client knows the changes of keys; undefined if it knows none. */
  readonly keysSince: number | undefined;
}

/** Names the messages to a device in one response; the next request of the client acknowledges them. */
export interface Delivery {
  /** The number of the response. */
  readonly response: number;
  /** The latest time of arrival among its messages. */
  readonly sent: number;
}

/** The changes of an account since a position. */
export interface AccountFeed {
  /** The position up to which these changes bring the client. */
  readonly position: number;
  readonly changes: readonly Pick<AccountDataChange, 'roomId' | 'type' | 'content'>[];
  readonly oneTimeKeyCounts: Record<string, bigint>;
  readonly unusedFallbackAlgorithms: readonly string[];
  /** The oldest messages that wait for the device, as JSON text. */
  readonly deviceMessages: readonly string[];
  /** Names these messages; undefined when there are none. */
  readonly delivery: Delivery | undefined;
  /** The changes of keys; undefined without a device. */
  readonly keyChanges: KeyChanges | undefined;
}

/** The users whose keys have changed for a user since a position. */
export interface KeyChanges {
  /** Whether they share a room with the user or not. */
  readonly userIds: readonly string[];
  /** The position up to which these are all. */
  readonly position: number;
  /** Whether there may be later changes. */
  readonly more: boolean;
}

/** The part of the user service that sync calls. */
export interface AccountFeeds {
  /** Reads the changes of an account's data, and the key counts and messages of a device. */
  read(request: FeedRequest): Promise<AccountFeed>;
  /** The users whose keys have changed for a user since a position. */
  keyChanges(userId: string, since: number): Promise<KeyChanges>;
  /** The users whom a user ignores, as of now. */
  ignoredBy(userId: string): Promise<ReadonlySet<string>>;
  /** The push rules of a user, as JSON text. */
  pushRules(userId: string): Promise<string>;
  /** Sets up to where a user has read a room. */
  setFullyRead(userId: string, roomId: string, eventId: string): Promise<void>;
  /** A filter that the user has stored, as JSON text; undefined for an unknown id. */
  findFilter(userId: string, filterId: string): Promise<string | undefined>;
  /** Rejects if the session of an access token has ended, or its account may no longer use it. */
  requireActiveSession(accessToken: string): Promise<void>;
}

/** Calls the user service over a transport. While it is unreachable, calls fail as unavailable. */
export function accountFeedsThrough(transport: Transport): AccountFeeds {
  const client = createClient(AccountFeedService, transport);
  const serverAccounts = createClient(ServerAccountService, transport);
  const authenticate = authenticateThrough(transport);
  return {
    async read({ userId, deviceId, since, allOfRooms, received, keysSince }) {
      const { position, delivery, keyChanges, ...feed } = await callPeer(() =>
        client.readAccountFeed({
          userId,
          ...(deviceId === undefined ? {} : { deviceId }),
          ...(since === undefined ? {} : { since: BigInt(since) }),
          allOfRooms: [...allOfRooms],
          ...(received ? { received: writeDelivery(received) } : {}),
          ...(keysSince === undefined ? {} : { keysSince: BigInt(keysSince) }),
        }),
      );
      return {
        ...feed,
        position: Number(position),
        delivery: delivery && { response: Number(delivery.response), sent: Number(delivery.sent) },
        keyChanges: keyChanges && readKeyChanges(keyChanges),
      };
    },
    async keyChanges(userId, since) {
      const request = { userId, since: BigInt(since) };
      const { changes } = await callPeer(() => client.listKeyChanges(request));
      if (!changes) throw new Error('The user service has answered without changes');
      return readKeyChanges(changes);
    },
    async ignoredBy(userId) {
      return new Set((await callPeer(() => client.listIgnoredUsers({ userId }))).userIds);
    },
    async pushRules(userId) {
      return (await callPeer(() => client.getPushRules({ userId }))).rules;
    },
    async setFullyRead(userId, roomId, eventId) {
      await callPeer(() => serverAccounts.setFullyRead({ userId, roomId, eventId }));
    },
    async findFilter(userId, filterId) {
      return (await callPeer(() => client.findFilter({ userId, filterId }))).filter;
    },
    async requireActiveSession(accessToken) {
      await authenticate(accessToken, { allowLocked: false, allowExpired: false }, undefined);
    },
  };
}

function readKeyChanges({ userIds, position, more }: MessageShape<typeof KeyChangesSchema>): KeyChanges {
  return { userIds, position: Number(position), more };
}

function writeDelivery({ response, sent }: Delivery) {
  return { response: BigInt(response), sent: BigInt(sent) };
}
