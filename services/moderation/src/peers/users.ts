import { createClient, type Transport } from '@connectrpc/connect';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { callPeer } from '@steward/rpc';
import type { Notices } from './notice.ts';

/** The calls of the moderation service to the user service. */
export interface Users {
  /** Whether the account exists on this server, active or not. */
  isKnown(userId: string): Promise<boolean>;
  /** Creates the account that sends notices if it does not exist. */
  ensureAccount(notices: Notices): Promise<void>;
  /** Sets a tag of a room for a user, if the limits of the account permit it. */
  tagRoom(userId: string, roomId: string, tag: string): Promise<void>;
}

/** Calls the user service through a transport. When it cannot be reached, callers are refused as unavailable. */
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
