import { refuse } from '@steward/errors';
import type { Notice } from '../../peers/notice.ts';
import type { Deps } from '../deps.ts';
import type { NoticeRoom } from '../model/notice-room.ts';
import { chooseNoticeRoom, noticeRoomOf } from './choose-notice-room.ts';

/** The number of rooms that are tried, in case their readers leave, before the request is refused. */
const MAX_ROOMS = 5;

/** The tag that marks the room for the reader's client. */
const TAG = 'm.server_notice';

/**
 * Sends a notice in the reader's notice room, which it finds or creates (behaviour.md 7.1). It may be repeated, also
 * by another instance, at any point: the transaction sends exactly one event.
 *
 * @returns the id of the event
 * @throws the room's refusal of the event; refuse.unknown while the sender is deactivated
 */
export async function deliverNotice(deps: Deps, notice: Notice): Promise<string> {
  const { userId } = notice;
  let room = await noticeRoomOf(deps, userId);
  for (let tried = 0; tried < MAX_ROOMS; tried++) {
    if (!room.made) await deps.users.ensureAccount(deps.notices);
    const eventId = await deps.rooms.sendNotice({
      ...notice,
      room: { roomId: room.room_id, isMade: room.made },
      notices: deps.notices,
    });
    if (eventId !== undefined) {
      if (!room.made) await finish(deps, room);
      return eventId;
    }
    room = await chooseNoticeRoom(deps, userId, room);
  }
  throw refuse.unavailable('There is no room for notices at present');
}

/** Completes the creation of a room. After a crash the next notice completes it. */
async function finish(deps: Deps, { _id: userId, room_id }: NoticeRoom): Promise<void> {
  await deps.users.tagRoom(userId, room_id, TAG);
  await deps.noticeRooms.updateOne({ _id: userId, room_id }, { $set: { made: true } });
}
