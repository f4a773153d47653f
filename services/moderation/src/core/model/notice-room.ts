import { type Doc, declareCollection } from '@steward/store';

/** The room in which a user is sent notices. */
export interface NoticeRoom extends Doc {
  /** The user id. */
  readonly _id: string;
  readonly room_id: string;
  /** Whether the room is made, with all that belongs to it; until then the next notice makes it. */
  readonly made: boolean;
}

/** The rooms in which users are sent notices, by user id. */
export const noticeRooms = declareCollection<NoticeRoom>({
  name: 'moderation.notice_rooms',
  shardKey: '_id',
  indexes: [],
});
