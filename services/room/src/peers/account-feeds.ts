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
  /** The position up to which its data are known; undefined for nothing of them. */
  readonly since: number | undefined;
  /** Rooms whose data are read whether they changed or not. */
  readonly allOfRooms: readonly string[];
}

/** What is new in an account for a client. */
export interface AccountFeed {
  /** The position up to which the account's data are known with this. */
  readonly position: number;
  readonly changes: readonly Pick<AccountDataChange, 'roomId' | 'type' | 'content'>[];
  readonly oneTimeKeyCounts: Record<string, bigint>;
  readonly unusedFallbackAlgorithms: readonly string[];
}

/** What syncs need to know of accounts. */
export interface AccountFeeds {
  /** What changed of an account's data, and how the keys of a device stand. */
  read(request: FeedRequest): Promise<AccountFeed>;
  /** A filter that a user has stored, as JSON text; undefined for an unknown one. */
  findFilter(userId: string, filterId: string): Promise<string | undefined>;
  /** Refuses an access token as its holder is to be refused now. */
  requirePresence(accessToken: string): Promise<void>;
}

/** Calls the user service behind a transport. While it cannot be reached, requests are refused as unavailable. */
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
    async findFilter(userId, filterId) {
      return (await callPeer(() => client.findFilter({ userId, filterId }))).filter;
    },
    async requirePresence(accessToken) {
      await authenticate(accessToken, { allowLocked: false, allowExpired: false }, undefined);
    },
  };
}
