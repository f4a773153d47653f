import { loadRoom } from '../aggregate/load-room.ts';
import type { Deps } from '../deps.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import type { Room } from '../model/room.ts';

/** A room, and the membership of a user who has joined it. */
export interface Joined {
  readonly room: Room;
  readonly member: MemberDocument;
}

/** A room, and the membership of a user; `undefined` if the user is not joined. */
export async function findJoined(deps: Deps, roomId: string, userId: string): Promise<Joined | undefined> {
  const [room, member] = await Promise.all([
    loadRoom(deps, roomId),
    deps.members.findOne({ _id: memberId(roomId, userId) }),
  ]);
  return room && member?.membership === 'join' ? { room, member } : undefined;
}
