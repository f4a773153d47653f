import type { RoomListEntry } from '@steward/sdk';

/** What a room is called: its name, else its main alias, else its id. */
export function titleOf(room: Pick<RoomListEntry, 'room_id' | 'name' | 'canonical_alias'>): string {
  return room.name?.trim() || room.canonical_alias || room.room_id;
}
