import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SyncedJoinedRoomSchema } from '@steward/proto/steward/room/v1/sync_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { UnreadCounts } from '../../core/model/unread-memory.ts';
import type { Joined } from '../../core/unread/find-joined.ts';
import { countUnread, MAIN } from '../../core/unread/unread.ts';

type Unread = Pick<
  MessageInitShape<typeof SyncedJoinedRoomSchema>,
  'unreadNotifications' | 'unreadThreadNotifications'
>;

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
