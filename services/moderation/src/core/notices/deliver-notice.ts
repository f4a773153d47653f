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
 * @throws the room's refusal of the event, before anything has changed; refuse.unknown while the sender is deactivated, or belongs to another user
 */
export async function deliverNotice(deps: Deps, notice: Notice): Promise<string> {
  const { userId } = notice;
  let room = await noticeRoomOf(deps, userId);
  for (let tried = 0; tried < MAX_ROOMS; tried++) {
    if (!room.made) await checkIn(deps, notice, room);
    await deps.users.ensureAccount(deps.notices);
    const eventId = await deps.rooms.sendNotice(placed(deps, notice, room));
    if (eventId !== undefined) {
      await finish(deps, room);
      return eventId;
    }
    room = await chooseNoticeRoom(deps, userId, room);
  }
  throw refuse.unavailable('The notice room could not be created; try again');
}

/**
 * Checks that a notice could be sent now, and changes nothing.
 *
 * @throws the room's refusal of the event
 */
export async function checkNotice(deps: Deps, notice: Notice): Promise<void> {
  await checkIn(deps, notice, await noticeRoomOf(deps, notice.userId));
}

async function checkIn(deps: Deps, notice: Notice, room: NoticeRoom): Promise<void> {
  await deps.rooms.sendNotice({ ...placed(deps, notice, room), checkOnly: true });
}

function placed({ notices }: Deps, notice: Notice, { room_id: roomId, made: isMade }: NoticeRoom) {
  return { ...notice, room: { roomId, isMade }, notices };
}

/**
 * Tags a room, which an account that was full or deactivated did not admit when the room was created, and completes its creation. After a crash
 * the next notice does so.
 */
async function finish(deps: Deps, { _id: userId, room_id, made }: NoticeRoom): Promise<void> {
  await deps.users.tagRoom(userId, room_id, TAG);
  if (!made) await deps.noticeRooms.updateOne({ _id: userId, room_id }, { $set: { made: true } });
}
