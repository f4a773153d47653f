import { createClient, type Transport } from '@connectrpc/connect';
import { UserRoomService } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import { VisibilityService } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import { callPeer } from '@steward/rpc';

/** The queries of the user directory about rooms, which the room service stores. */
export interface Rooms {
  /**
   * Which of the candidates the searcher may find: those who share a room with the searcher, and those who are in
   * any public room. A call names at most a few hundred candidates.
   */
  visibleTo(searcher: string, candidates: readonly string[]): Promise<ReadonlySet<string>>;
  /** Wakes the clients that share an encrypted room with a user whose keys have changed. */
  wakeWatchersOf(userId: string): Promise<void>;
  /** How many rooms a user has joined, is invited to, and knocks at. */
  countMemberships(
    userId: string,
  ): Promise<{ readonly joined: number; readonly invited: number; readonly knocked: number }>;
}

/** The rooms of a server that has none. */
export const noRooms: Rooms = {
  visibleTo: async () => new Set(),
  wakeWatchersOf: async () => {},
  countMemberships: async () => ({ joined: 0, invited: 0, knocked: 0 }),
};

/** Calls the room service through a transport; while it is unreachable, calls are refused as unavailable for now. */
export function roomsThrough(transport: Transport): Rooms {
  const client = createClient(VisibilityService, transport);
  const memberships = createClient(UserRoomService, transport);
  return {
    async visibleTo(searcher, candidates) {
      const request = { searcher, candidates: [...candidates] };
      return new Set((await callPeer(() => client.findVisibleUsers(request))).userIds);
    },
    async wakeWatchersOf(userId) {
      await callPeer(() => client.wakeWatchers({ userId }));
    },
    async countMemberships(userId) {
      const { joined, invited, knocked } = await callPeer(() => memberships.countMemberships({ userId }));
      return { joined: Number(joined), invited: Number(invited), knocked: Number(knocked) };
    },
  };
}
