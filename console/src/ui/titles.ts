import type { RoomName, UserName } from '@steward/sdk';

/** What a user is called: their display name, else their id. */
export function titleOfUser(id: string, user: Pick<UserName, 'displayname'> | undefined): string {
  return user?.displayname?.trim() || id;
}

/** What a room is called: its name, else its main alias, else its id. */
export function titleOfRoom(
  id: string,
  room: Pick<RoomName, 'name' | 'canonical_alias'> | undefined,
): string {
  return room?.name?.trim() || room?.canonical_alias || id;
}
