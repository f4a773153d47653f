import { type Doc, declareCollection, firstId } from '@steward/store';

/** The membership of a user without a member event. */
export const NO_MEMBERSHIP = 'none';

/** The memberships of users who are in a room, or wait to enter it. */
export const PRESENT = ['join', 'invite', 'knock'] as const;

/** Whether a user with this membership is in the room, or waits to enter it. */
export function isPresent(membership: string): boolean {
  return PRESENT.some((present) => present === membership);
}

/**
 * The current membership of a user in a room. It is inserted before the first commit that concerns the user, as
 * `NO_MEMBERSHIP`, and then follows the commits.
 */
export interface MemberDocument extends Doc {
  /** See `memberId`. */
  readonly _id: string;
  readonly room_id: string;
  readonly user_id: string;
  /** Whether the user is one of this server. */
  readonly local: boolean;
  /** `join`, `invite`, `knock`, `leave`, `ban` or `NO_MEMBERSHIP`. */
  readonly membership: string;
  /** The member event; empty for no membership. */
  readonly event_id: string;
  /** The arrival of the member event; 0 for no membership. */
  readonly arrival: number;
  /** The sender of the member event. */
  readonly sender: string;
  readonly displayname: string | null;
  readonly avatar_url: string | null;
  /** Whether the user has left and forgotten the room. */
  readonly forgotten: boolean;
  /** The number of the last membership epoch, see `Deps.nextMembershipEpoch`; 0 if there was none. */
  readonly stay: number;
}

/** The id of a member document. Room ids contain no space. */
export function memberId(roomId: string, userId: string): string {
  return `${roomId} ${userId}`;
}

/** The user of a member document of a room. */
export function userIdOf(roomId: string, id: string): string {
  return id.slice(roomId.length + 1);
}

/** The document of a user without a member event. */
export function noMember(roomId: string, userId: string, serverName: string): MemberDocument {
  return {
    _id: memberId(roomId, userId),
    room_id: roomId,
    user_id: userId,
    local: userId.slice(userId.indexOf(':') + 1) === serverName,
    membership: NO_MEMBERSHIP,
    event_id: '',
    arrival: 0,
    sender: '',
    displayname: null,
    avatar_url: null,
    forgotten: false,
    stay: 0,
  };
}

/** Memberships, by room and user. */
export const members = declareCollection<MemberDocument>({
  name: 'room.members',
  whileLoading: [],
  shardKey: 'room_id',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'by_room',
      keys: [
        ['room_id', 1],
        ['membership', 1],
        ['user_id', 1],
      ],
    },
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['membership', 1],
        ['stay', 1],
        ['room_id', 1],
      ],
    },
    {
      name: 'remembered',
      keys: [
        ['room_id', 1],
        ['local', 1],
        ['forgotten', 1],
        ['membership', 1],
      ],
    },
  ],
});
