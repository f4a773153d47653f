import { createClient, type Transport } from '@connectrpc/connect';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { callPeer } from '@steward/rpc';

/** How many users one call to the user service may name. */
const AT_ONCE = 1_000;

/** What the media service asks the user service for. */
export interface Users {
  /** The display names of users, by user id: null for those without, and unknown users are left out. */
  displaynames(userIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** Which of the content URIs are the avatar of a user. */
  avatarsInUse(uris: readonly string[]): Promise<readonly string[]>;
}

/** Asks the user service behind a transport. When it cannot be reached, callers are refused as unavailable. */
export function usersThrough(transport: Transport): Users {
  const client = createClient(ProfileService, transport);
  return {
    displaynames: (userIds) =>
      callPeer(async () => {
        const found = new Map<string, string | null>();
        for (let from = 0; from < userIds.length; from += AT_ONCE) {
          const { profiles } = await client.getProfiles({ userIds: userIds.slice(from, from + AT_ONCE) });
          for (const { userId, displayname } of profiles) found.set(userId, displayname ?? null);
        }
        return found;
      }),
    avatarsInUse: (uris) => callPeer(async () => (await client.findAvatarsInUse({ uris: [...uris] })).uris),
  };
}
