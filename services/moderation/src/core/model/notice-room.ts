import { type Doc, declareCollection } from '@steward/store';

/** The room in which a user receives notices. */
export interface NoticeRoom extends Doc {
  /** The user id. */
  readonly _id: string;
  readonly room_id: string;
  /** Whether the room was created completely; until then the next notice completes it. */
  readonly made: boolean;
}

/** The rooms in which users receive notices, by user id. */
export const noticeRooms = declareCollection<NoticeRoom>({
  name: 'moderation.notice_rooms',
  shardKey: '_id',
  indexes: [],
});
