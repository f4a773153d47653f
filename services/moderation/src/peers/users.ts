import { createClient, type Transport } from '@connectrpc/connect';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { callPeer } from '@steward/rpc';
import type { Notices } from './notice.ts';

/** What the moderation service asks the user service for. */
export interface Users {
  /** Whether there is such an account on this server, active or not. */
  isKnown(userId: string): Promise<boolean>;
  /** Sees to it that the account exists that sends notices. */
  ensureAccount(notices: Notices): Promise<void>;
  /** Gives a room a tag for a user, as far as their account may keep it. */
  tagRoom(userId: string, roomId: string, tag: string): Promise<void>;
}

/** Asks the user service behind a transport. When it cannot be reached, callers are refused as unavailable. */
export function usersThrough(transport: Transport): Users {
  const profiles = createClient(ProfileService, transport);
  const accounts = createClient(ServerAccountService, transport);
  return {
    async ensureAccount({ localpart, displayName, avatarUrl }) {
      const account = { localpart, displayName, ...(avatarUrl === undefined ? {} : { avatarUrl }) };
      await callPeer(() => accounts.ensureAccount(account));
    },
    async tagRoom(userId, roomId, tag) {
      await callPeer(() => accounts.tagRoom({ userId, roomId, tag }));
    },
    isKnown: async (userId) =>
      (await callPeer(() => profiles.getProfiles({ userIds: [userId] }))).profiles.length > 0,
  };
}
