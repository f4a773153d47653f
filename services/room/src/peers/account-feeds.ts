import { createClient, type Transport } from '@connectrpc/connect';
import {
  type AccountDataChange,
  AccountFeedService,
} from '@steward/proto/steward/user/v1/account_feed_pb.ts';
import { authenticateThrough, callPeer } from '@steward/rpc';

/** Which account's feed to read, and since when. */
export interface FeedRequest {
  readonly userId: string;
  readonly deviceId: string | undefined;
  /** The position up to which the client knows the account data; undefined if it knows none. */
  readonly since: number | undefined;
  /** Rooms whose account data is read even if it has not changed. */
  readonly allOfRooms: readonly string[];
}

/** The changes of an account since a position. */
export interface AccountFeed {
  /** The position up to which these changes bring the client. */
  readonly position: number;
  readonly changes: readonly Pick<AccountDataChange, 'roomId' | 'type' | 'content'>[];
  readonly oneTimeKeyCounts: Record<string, bigint>;
  readonly unusedFallbackAlgorithms: readonly string[];
}

/** The part of the user service that sync calls. */
export interface AccountFeeds {
  /** Reads the changes of an account's data, and the key counts of a device. */
  read(request: FeedRequest): Promise<AccountFeed>;
  /** The users whom a user ignores, as of now. */
  ignoredBy(userId: string): Promise<ReadonlySet<string>>;
  /** A filter that the user has stored, as JSON text; undefined for an unknown id. */
  findFilter(userId: string, filterId: string): Promise<string | undefined>;
  /** Rejects if the session of an access token has ended, or its account may no longer use it. */
  requireActiveSession(accessToken: string): Promise<void>;
}

/** Calls the user service over a transport. While it is unreachable, calls fail as unavailable. */
export function accountFeedsThrough(transport: Transport): AccountFeeds {
  const client = createClient(AccountFeedService, transport);
  const authenticate = authenticateThrough(transport);
  return {
    async read({ userId, deviceId, since, allOfRooms }) {
      const { position, changes, oneTimeKeyCounts, unusedFallbackAlgorithms } = await callPeer(() =>
        client.readAccountFeed({
          userId,
          ...(deviceId === undefined ? {} : { deviceId }),
          ...(since === undefined ? {} : { since: BigInt(since) }),
          allOfRooms: [...allOfRooms],
        }),
      );
      return { position: Number(position), changes, oneTimeKeyCounts, unusedFallbackAlgorithms };
    },
    async ignoredBy(userId) {
      return new Set((await callPeer(() => client.listIgnoredUsers({ userId }))).userIds);
    },
    async findFilter(userId, filterId) {
      return (await callPeer(() => client.findFilter({ userId, filterId }))).filter;
    },
    async requireActiveSession(accessToken) {
      await authenticate(accessToken, { allowLocked: false, allowExpired: false }, undefined);
    },
  };
}
