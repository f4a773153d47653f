import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SyncedJoinedRoomSchema } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import { countUnread, MAIN, type UnreadCounts } from '../../core/unread/unread.ts';
import type { Joined } from './read-room.ts';

type Unread = Pick<
  MessageInitShape<typeof SyncedJoinedRoomSchema>,
  'unreadNotifications' | 'unreadThreadNotifications'
>;

/** A room, and the membership of a user; `undefined` if the user is not joined. */
export async function findJoined(deps: Deps, roomId: string, userId: string): Promise<Joined | undefined> {
  const [room, member] = await Promise.all([
    loadRoom(deps, roomId),
    deps.members.findOne({ _id: memberId(roomId, userId) }),
  ]);
  return room && member?.membership === 'join' ? { room, member } : undefined;
}

/**
 * The numbers of unread events of a room that notify one of its members (client-plane.md 12).
 *
 * @param options `receipts`: the position of the last receipt of the room
 */
export async function readUnread(
  deps: Deps,
  joined: Joined | undefined,
  { receipts, countsThreads }: { readonly receipts: number; readonly countsThreads: boolean },
): Promise<Unread> {
  if (!joined) return {};
  const { room, member } = joined;
  const counts = await countUnread(deps, room, member, receipts);
  if (!countsThreads) return { unreadNotifications: written([...counts.values()]) };
  const main = counts.get(MAIN);
  const threads = [...counts].filter(([thread]) => thread !== MAIN);
  return {
    unreadNotifications: written(main ? [main] : []),
    unreadThreadNotifications: Object.fromEntries(
      threads.map(([thread, count]) => [thread, written([count])]),
    ),
  };
}

function written(counts: readonly UnreadCounts[]) {
  const sum = (key: keyof UnreadCounts) => BigInt(counts.reduce((total, count) => total + count[key], 0));
  return { notificationCount: sum('notifications'), highlightCount: sum('highlights') };
}
