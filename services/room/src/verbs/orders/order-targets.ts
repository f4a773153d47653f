import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { membershipsOf } from '../../core/membership/memberships-of.ts';
import type { MemberDocument } from '../../core/model/member.ts';
import { noticesAccounts } from '../../core/notices/notice-rooms.ts';
import type { OrderScope, RoomOrderParams } from '../../core/orders/room-order.ts';
import { roomsOfSpace } from '../../core/spaces/rooms-of-space.ts';

/** The targets that are processed between two checkpoints. */
const BATCH = 25;

/** The piece of the task's result that has the rooms of a space, so that all attempts process the same rooms. */
const ROOMS_PART = 0;

/** A user or event in a room. */
export interface OrderTarget {
  readonly roomId: string;
  readonly target: string;
}

/** A place in the targets: a number of them, a room id, or a membership. */
export type OrderPosition = number | string | Pick<MemberDocument, 'stay' | 'room_id'>;

/** Targets that follow each other. */
export interface TargetBatch {
  readonly targets: readonly OrderTarget[];
  /** How many were read, including those that are passed over. */
  readonly read: number;
  readonly last: OrderPosition;
}

/** The targets of an order, in an order that does not depend on what is done to them. */
export interface OrderTargets {
  /** How many there are; for all rooms, as of now. */
  readonly total: number;
  /** The targets after a position; undefined at the end. */
  after(position: OrderPosition | undefined): Promise<TargetBatch | undefined>;
}

/** The targets of the order that a task carries out. */
export async function orderTargets(deps: Deps, task: RunningTask): Promise<OrderTargets> {
  const { scope, action } = task.params<RoomOrderParams>();
  if ('room' in scope) return listed(scope.targets.map((target) => ({ roomId: scope.room, target })));
  const { user: target, space } = scope;
  if (space !== null) {
    const rooms = await plannedRooms(deps, task, space);
    return listed(rooms.map((roomId) => ({ roomId, target })));
  }
  return action === 'unban' ? bannedRooms(deps, scope) : allRooms(deps, scope);
}

function listed(targets: readonly OrderTarget[]): OrderTargets {
  return {
    total: targets.length,
    async after(position) {
      const begin = typeof position === 'number' ? position : 0;
      const batch = targets.slice(begin, begin + BATCH);
      if (batch.length === 0) return undefined;
      return { targets: batch, read: batch.length, last: begin + batch.length };
    },
  };
}

/** The rooms of a space when the task began. */
async function plannedRooms(deps: Deps, task: RunningTask, space: string): Promise<readonly string[]> {
  for await (const planned of deps.tasks.parts<{ readonly rooms?: readonly string[] }>(task.id)) {
    if (planned.rooms) return planned.rooms;
    break;
  }
  const rooms = await roomsOfSpace(deps, space);
  await task.addPart(ROOMS_PART, { rooms });
  return rooms;
}

type UserScope = Extract<OrderScope, { readonly user: string }>;

/** All rooms that have members of this server, except those of server notices. */
async function allRooms(deps: Deps, { user: target }: UserScope): Promise<OrderTargets> {
  return {
    total: await deps.rooms.countDocuments({}),
    async after(position) {
      const rooms = await deps.rooms
        .find(typeof position === 'string' ? { _id: { $gt: position } } : {}, {
          sort: { _id: 1 },
          limit: BATCH,
          projection: { creator: 1, joined_local_members: 1 },
        })
        .toArray();
      const last = rooms.at(-1);
      if (!last) return undefined;
      const ofServer = await noticesAccounts(deps, [...new Set(rooms.map(({ creator }) => creator))]);
      const targets = rooms
        .filter(({ creator, joined_local_members }) => joined_local_members > 0 && !ofServer.has(creator))
        .map(({ _id: roomId }) => ({ roomId, target }));
      return { targets, read: rooms.length, last: last._id };
    },
  };
}

/** The rooms from which the user is banned. */
async function bannedRooms(deps: Deps, { user: target }: UserScope): Promise<OrderTargets> {
  return {
    total: await deps.members.countDocuments({ user_id: target, membership: 'ban' }),
    async after(position) {
      const after = typeof position === 'object' ? position : undefined;
      for await (const page of membershipsOf(deps, target, 'ban', { after, size: BATCH })) {
        const targets = page.map(({ room_id: roomId }) => ({ roomId, target }));
        const { stay = 0, room_id = '' } = page.at(-1) ?? {};
        return { targets, read: page.length, last: { stay, room_id } };
      }
      return undefined;
    },
  };
}
