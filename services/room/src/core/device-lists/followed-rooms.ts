import type { Known } from '../model/cursor.ts';
import type { Room } from '../model/room.ts';

/** A room in which a user may have begun or ceased to share encrypted messages with others. */
export interface FollowedRoom {
  readonly roomId: string;
  /** Whether the user has come to follow the devices of all members, or no longer does. */
  readonly all?: 'began' | 'ended';
  /** The arrivals after which, and up to which, members may have joined or left while the user followed their devices. */
  readonly moved?: { readonly after: number; readonly until: number };
}

/**
 * What changed for a client in which others share encrypted messages with its user; `undefined` for nothing.
 *
 * @param room the room as it is
 * @param known what the client knows of it
 * @param now whether the user is joined, and up to which arrival the client will know the room
 */
export function followedRoom(
  room: Pick<Room, '_id' | 'encryption' | 'encrypted_at' | 'local_joins'>,
  known: Known | undefined,
  now: { readonly joined: boolean; readonly anew: boolean; readonly arrival: number },
): FollowedRoom | undefined {
  if (room.encryption === null) return undefined;
  const { _id: roomId, encrypted_at = 0, local_joins = now.arrival } = room;
  const after = known?.membership === 'join' && encrypted_at <= known.arrival ? known.arrival : undefined;
  const moved = after !== undefined && local_joins > after ? { moved: { after, until: now.arrival } } : {};
  if (now.joined) {
    if (after === undefined || now.anew) return { roomId, all: 'began', ...moved };
    return moved.moved ? { roomId, ...moved } : undefined;
  }
  return after === undefined ? undefined : { roomId, all: 'ended', ...moved };
}
