import { createClient, type Transport } from '@connectrpc/connect';
import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { ProfileService, type UserProfile } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { callPeer } from '@steward/rpc';

/** The most profiles of one call. */
const PROFILES_PER_CALL = 1_000;

/** The profile of a user. */
export interface Profile {
  readonly displayname: string | undefined;
  readonly avatarUrl: string | undefined;
  readonly deactivated: boolean;
  readonly guest: boolean;
  /** Whether the server made the account for itself. */
  readonly actsForServer: boolean;
}

/** A number of devices. */
export interface DeviceCount {
  readonly devices: number;
  /**
   * Rises whenever any device is added or removed; `undefined` where that is not known. The devices of the same users are
   * as many while it is the same.
   */
  readonly revision: bigint | undefined;
}

/** The part of the user service that the room service calls, apart from sync. */
export interface Users {
  /** The profiles of users, by user id; unknown users, and those of other servers, are left out. */
  profiles(userIds: readonly string[]): Promise<ReadonlyMap<string, Profile>>;
  /** The number of devices of at most 1,000 users together; unknown users have none. */
  countDevices(userIds: readonly string[]): Promise<DeviceCount>;
  /** How many objects of account data, and backed-up keys, users have of a room. */
  countRoomData(roomId: string): Promise<{ readonly accountData: number; readonly backedUpKeys: number }>;
  /** The users among these whose accounts were erased. */
  erased(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The users among these whose accounts are deactivated. */
  deactivated(userIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Calls the user service over a transport. While it is unreachable, calls fail as unavailable. */
export function usersThrough(transport: Transport): Users {
  const client = createClient(ProfileService, transport);
  const devices = createClient(DeviceService, transport);
  const data = createClient(AccountDataService, transport);
  const getProfiles = async (userIds: readonly string[]) => {
    const found: UserProfile[] = [];
    for (let from = 0; from < userIds.length; from += PROFILES_PER_CALL) {
      const page = userIds.slice(from, from + PROFILES_PER_CALL);
      found.push(...(await callPeer(() => client.getProfiles({ userIds: page }))).profiles);
    }
    return found;
  };
  return {
    async profiles(userIds) {
      const found = await getProfiles(userIds);
      return new Map(
        found.map(({ userId, displayname, avatarUrl, deactivated, guest, actsForServer }) => [
          userId,
          { displayname, avatarUrl, deactivated, guest, actsForServer },
        ]),
      );
    },
    async countDevices(userIds) {
      const { devices: count, revision } = await callPeer(() =>
        devices.countDevices({ userIds: [...userIds] }),
      );
      return { devices: Number(count), revision };
    },
    async countRoomData(roomId) {
      const { accountData, backedUpKeys } = await callPeer(() => data.countRoomData({ roomId }));
      return { accountData: Number(accountData), backedUpKeys: Number(backedUpKeys) };
    },
    async erased(userIds) {
      const found = await getProfiles(userIds);
      return new Set(found.filter(({ erased }) => erased).map(({ userId }) => userId));
    },
    async deactivated(userIds) {
      const found = await getProfiles(userIds);
      return new Set(found.filter(({ deactivated }) => deactivated).map(({ userId }) => userId));
    },
  };
}
