import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { NoticeRoom } from '../model/notice-room.ts';

type NoticeRooms = Pick<Deps, 'noticeRooms'>;

/** Returns the room that was chosen for a user. */
export async function noticeRoomOf(
  deps: Pick<Deps, 'noticeRooms' | 'rooms' | 'notices'>,
  userId: string,
): Promise<NoticeRoom> {
  return (await deps.noticeRooms.findOne({ _id: userId })) ?? chooseNoticeRoom(deps, userId, undefined);
}

/**
 * Chooses a room for a user, for the first time or in place of an unusable one. All instances use the same
 * choice, so that one user never has two rooms.
 */
export async function chooseNoticeRoom(
  deps: Pick<Deps, 'noticeRooms' | 'rooms' | 'notices'>,
  userId: string,
  before: NoticeRoom | undefined,
): Promise<NoticeRoom> {
  const { roomId, exists } = await deps.rooms.chooseNoticeRoom(userId, deps.notices.sender);
  const chosen = { _id: userId, room_id: roomId, made: exists };
  const isChosen = before ? await replace(deps, before, chosen) : await insert(deps, chosen);
  // Another request chose first.
  return isChosen ? chosen : ((await deps.noticeRooms.findOne({ _id: userId })) ?? chosen);
}

async function insert({ noticeRooms }: NoticeRooms, chosen: NoticeRoom): Promise<boolean> {
  try {
    await noticeRooms.insertOne(chosen);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function replace(
  { noticeRooms }: NoticeRooms,
  { _id, room_id: earlier }: NoticeRoom,
  { room_id, made }: NoticeRoom,
): Promise<boolean> {
  const { matchedCount } = await noticeRooms.updateOne(
    { _id, room_id: earlier },
    { $set: { room_id, made } },
  );
  return matchedCount > 0;
}
