import { createClient, type Transport } from '@connectrpc/connect';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { AccountQuotaService } from '@steward/proto/steward/user/v1/quotas_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { type Client, callPeer, type Requester, type Rights } from '@steward/rpc';
import type { Notices } from './notice.ts';

/** The quotas of an account, and how much of those of the user service it uses. */
export interface AccountQuotas {
  readonly admin: boolean;
  /** The account's own quotas, by kind. */
  readonly quotas: Readonly<Record<string, number>>;
  readonly used: Readonly<Record<string, bigint>>;
}

/** A change of an account's own quotas. */
export interface QuotaChange {
  /** The new values, by kind. */
  readonly set: Readonly<Record<string, number>>;
  /** The kinds that get the server's quota again. */
  readonly cleared: readonly string[];
  readonly requester: Rights & Pick<Requester, 'userId'>;
}

/** A profile. */
export interface Profile {
  readonly displayName: string | null;
  /** A content URI. */
  readonly avatarUrl: string | null;
}

/** The calls of the moderation service to the user service. */
export interface Users {
  /** Whether the account exists on this server, active or not. */
  isKnown(userId: string): Promise<boolean>;
  /** The users whose accounts exist on this server, active or not; at most 1,000 are asked for. */
  known(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The profile of a user of this server; `undefined` when there is no such account. */
  profileOf(userId: string): Promise<Profile | undefined>;
  /**
   * Creates the account that sends notices if it does not exist.
   *
   * @throws refuse.unknown if it is deactivated, or belongs to another user
   */
  ensureAccount(notices: Notices): Promise<void>;
  /** Sets a tag of a room for a user, if the limits of the account permit it. */
  tagRoom(userId: string, roomId: string, tag: string): Promise<void>;
  /**
   * Returns the quotas of an account.
   *
   * @throws refuse.invalidParam, refuse.unknown or refuse.notFound when there is no such user of this server
   */
  quotasOf(userId: string): Promise<AccountQuotas>;
  /**
   * Changes the own quotas of an account.
   *
   * @throws refuse.forbidden when the account has a scope that the requester does not have
   */
  setQuotas(userId: string, change: QuotaChange): Promise<void>;
  /**
   * Looks the token of a call in progress up again, which is not recorded as a use.
   *
   * @throws the refusal of a token that has ended
   */
  lookUpAgain(
    token: string,
    client: Client | undefined,
  ): Promise<Pick<Requester, 'userId' | 'admin' | 'scopes' | 'lacksSecondFactor'>>;
}

/** How long a look-up of a token may take, in milliseconds. */
const LOOK_UP_TIMEOUT_MS = 5_000;

/** Calls the user service through a transport. When it cannot be reached, callers are refused as unavailable. */
export function usersThrough(transport: Transport): Users {
  const profiles = createClient(ProfileService, transport);
  const accounts = createClient(ServerAccountService, transport);
  const quotas = createClient(AccountQuotaService, transport);
  const sessions = createClient(SessionService, transport);
  const known = async (userIds: readonly string[]) => {
    const { profiles: found } = await callPeer(() => profiles.getProfiles({ userIds: [...userIds] }));
    return new Set(found.map(({ userId }) => userId));
  };
  return {
    async ensureAccount({ localpart, displayName, avatarUrl }) {
      const account = { localpart, displayName, ...(avatarUrl === undefined ? {} : { avatarUrl }) };
      await callPeer(() => accounts.ensureAccount(account));
    },
    async tagRoom(userId, roomId, tag) {
      await callPeer(() => accounts.tagRoom({ userId, roomId, tag }));
    },
    quotasOf: (userId) => callPeer(() => quotas.readAccountQuotas({ userId })),
    async setQuotas(userId, { set, cleared, requester }) {
      const { admin, scopes = [] } = requester;
      const change = {
        ...{ userId, quotas: { ...set }, cleared: [...cleared], requestedBy: requester.userId },
        ...(admin ? {} : { requesterScopes: { scopes } }),
      };
      await callPeer(() => quotas.setAccountQuotas(change));
    },
    lookUpAgain: (accessToken, client) => {
      const of = client ? { clientAddress: client.address, clientUserAgent: client.userAgent } : {};
      const request = { accessToken, ...of, repeatedLookUp: true };
      return callPeer(() => sessions.authenticate(request, { timeoutMs: LOOK_UP_TIMEOUT_MS }));
    },
    async profileOf(userId) {
      const { profiles: found } = await callPeer(() => profiles.getProfiles({ userIds: [userId] }));
      const [profile] = found;
      if (!profile) return undefined;
      const { displayname: displayName = null, avatarUrl = null } = profile;
      return { displayName, avatarUrl };
    },
    isKnown: async (userId) => (await known([userId])).has(userId),
    known,
  };
}
