import { accountTopic } from '@steward/events';
import { memberTopic, readTopic, roomTopic } from '../model/topics.ts';
import type { PushDeps } from './push-deps.ts';
import type { PusherRunner } from './pusher-runner.ts';

/** The memberships of rooms whose events may be pushed. */
const PUSHED_MEMBERSHIPS = ['join', 'invite'] as const;

/** A user with pushers. */
export interface FollowedUser {
  /** By the ids of the pushers. */
  readonly runners: Map<string, PusherRunner>;
  readonly rooms: Set<string>;
  /** Ends the subscriptions. */
  readonly end: () => void;
}

/** A room that has users with pushers. */
interface FollowedRoom {
  readonly users: Set<string>;
  /** Up to where it was looked through; undefined until that is read. */
  position: number | undefined;
  /** The position of its receipts that was seen last. */
  receipts: number | undefined;
  /** Ends the subscription. */
  readonly end: () => void;
}

/** What is called when something changes. */
export interface FollowedChanges {
  readonly room: (roomId: string) => void;
  readonly memberships: (userId: string) => void;
  readonly account: (userId: string) => void;
  readonly left: (userId: string, roomId: string) => void;
  readonly read: (userId: string) => void;
}

/** The users with pushers and their rooms: only these are listened to, so that others cost nothing. */
export class Followed {
  readonly users = new Map<string, FollowedUser>();
  readonly rooms = new Map<string, FollowedRoom>();
  readonly #deps: Pick<PushDeps, 'bus' | 'members'>;
  readonly #changes: FollowedChanges;

  constructor(deps: Pick<PushDeps, 'bus' | 'members'>, changes: FollowedChanges) {
    this.#deps = deps;
    this.#changes = changes;
  }

  /** Follows a user from now on; their rooms are read by `readRooms`. */
  addUser(userId: string): FollowedUser {
    const known = this.users.get(userId);
    if (known) return known;
    const ends = [
      this.#deps.bus.onNotification(memberTopic(userId), () => this.#changes.memberships(userId)),
      this.#deps.bus.onNotification(accountTopic(userId), () => this.#changes.account(userId)),
      this.#deps.bus.onNotification(readTopic(userId), () => this.#changes.read(userId)),
    ];
    const end = () => {
      for (const each of ends) each();
    };
    const user: FollowedUser = { runners: new Map(), rooms: new Set(), end };
    this.users.set(userId, user);
    return user;
  }

  /** Reads which rooms a user is in, or invited to; returns those that are new. */
  async readRooms(userId: string): Promise<readonly string[]> {
    const filter = { user_id: userId, membership: { $in: PUSHED_MEMBERSHIPS } };
    const found = await this.#deps.members.find(filter, { projection: { room_id: 1 } }).toArray();
    const user = this.users.get(userId);
    if (!user) return [];
    const rooms = new Set(found.map(({ room_id }) => room_id));
    for (const roomId of user.rooms) if (!rooms.has(roomId)) this.#leave(userId, user, roomId);
    const added = [...rooms].filter((roomId) => !user.rooms.has(roomId));
    for (const roomId of added) this.addMember(roomId, userId);
    return added;
  }

  /** Adds a user to a room, which is followed from then on. */
  addMember(roomId: string, userId: string): void {
    this.users.get(userId)?.rooms.add(roomId);
    const room = this.rooms.get(roomId) ?? {
      users: new Set<string>(),
      position: undefined,
      receipts: undefined,
      end: this.#deps.bus.onNotification(roomTopic(roomId), () => this.#changes.room(roomId)),
    };
    room.users.add(userId);
    this.rooms.set(roomId, room);
  }

  removeUser(userId: string): void {
    const user = this.users.get(userId);
    if (!user) return;
    user.end();
    this.users.delete(userId);
    for (const roomId of [...user.rooms]) this.#leave(userId, user, roomId);
  }

  /** Forgets a room that no longer exists. */
  removeRoom(roomId: string): void {
    const room = this.rooms.get(roomId);
    room?.end();
    this.rooms.delete(roomId);
    for (const userId of room?.users ?? []) {
      this.users.get(userId)?.rooms.delete(roomId);
      this.#changes.left(userId, roomId);
    }
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const { end } of [...this.users.values(), ...this.rooms.values()]) end();
    this.users.clear();
    this.rooms.clear();
  }

  #leave(userId: string, user: FollowedUser, roomId: string): void {
    user.rooms.delete(roomId);
    const room = this.rooms.get(roomId);
    room?.users.delete(userId);
    if (room?.users.size === 0) {
      room.end();
      this.rooms.delete(roomId);
    }
    this.#changes.left(userId, roomId);
  }
}
