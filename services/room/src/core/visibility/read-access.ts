import { refuse } from '@steward/errors';
import { loadRoom } from '../aggregate/load-room.ts';
import type { Deps } from '../deps.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import type { Room } from '../model/room.ts';
import { isMembership, roomAccessOf } from '../protocol/mod.ts';
import type { StatePoint } from '../reading/state-at.ts';

/** A user's access to read a room, up to an arrival (client-plane.md 6.2). */
export interface ReadAccess extends StatePoint {
  readonly room: Room;
  /** The user's member document; undefined for a user without one. */
  readonly member: MemberDocument | undefined;
}

/**
 * The access of a user to a room: up to now, or up to the event by which the user left; `undefined` for none. The
 * visibility of single events must be checked in addition.
 */
export async function findReadAccess(
  deps: Deps,
  roomId: string,
  userId: string,
): Promise<ReadAccess | undefined> {
  const room = await loadRoom(deps, roomId);
  if (!room) return undefined;
  const member = (await deps.members.findOne({ _id: memberId(roomId, userId) })) ?? undefined;
  const access = roomAccessOf({
    membership: isMembership(member?.membership) ? member.membership : undefined,
    hasForgotten: member?.forgotten ?? false,
    isWorldReadable: room.history_visibility === 'world_readable',
  });
  if (access === 'none') return undefined;
  const arrival = access === 'until-left' && member ? member.arrival : room.arrival;
  return { room, member, roomId, arrival };
}

/**
 * As `findReadAccess`.
 *
 * @throws refuse.forbidden without access, and for an unknown room
 */
export async function readAccess(deps: Deps, roomId: string, userId: string): Promise<ReadAccess> {
  const access = await findReadAccess(deps, roomId, userId);
  if (!access) throw refuse.forbidden('You are not in this room');
  return access;
}
