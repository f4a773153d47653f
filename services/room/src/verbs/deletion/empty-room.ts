import type { RunningTask } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import type { Membership } from '../../core/protocol/mod.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addOwnMember, prepareOwnMembers } from '../../core/view/add-own-member.ts';
import type { RoomView } from '../../core/view/room-view.ts';
import type { DeletionPart } from './deletion.ts';

/**
 * Members who leave with one commit. As many as a commit admits would delay other requests twice as long at a time, and
 * be no faster while other requests are served.
 */
const MEMBERS_AT_ONCE = 32;

/** How far a deletion has come with members and aliases. */
export interface Departure {
  /** The number of the next part of what comes of it. */
  readonly part: number;
  /** The member document up to which members have been dealt with. */
  readonly after?: string;
  /** The users, or aliases, that are being dealt with. Those that are done already cannot be found again. */
  readonly batch?: readonly string[];
}

/**
 * Makes every member of this server leave a room and forget it, and join the new one if there is one. One
 * commit of a room is for many of them.
 */
export async function emptyRoom(deps: Deps, task: RunningTask, newRoomId: string | undefined): Promise<void> {
  for (let { part, after, batch }: Departure = task.cursor<Departure>() ?? { part: 0 }; ; part++) {
    if (!batch) {
      batch = await nextMembers(deps, task.key, after ?? '');
      if (batch.length === 0) return;
      await task.save({ cursor: { part, ...(after === undefined ? {} : { after }), batch } });
    }
    const outcome = await moveOn(deps, task.key, newRoomId, batch);
    await task.addPart(part, outcome);
    after = memberId(task.key, batch.at(-1) ?? '');
    await task.save({ cursor: { part: part + 1, after }, done: task.done + batch.length });
    batch = undefined;
  }
}

async function nextMembers(deps: Deps, roomId: string, after: string): Promise<readonly string[]> {
  const members = await deps.members
    .find(
      { room_id: roomId, local: true, forgotten: false, membership: 'join', _id: { $gt: after } },
      { sort: { _id: 1 }, limit: MEMBERS_AT_ONCE, projection: { user_id: 1 } },
    )
    .toArray();
  return members.map(({ user_id }) => user_id);
}

async function moveOn(
  deps: Deps,
  roomId: string,
  newRoomId: string | undefined,
  users: readonly string[],
): Promise<DeletionPart> {
  const left = await leaveAll(deps, roomId, users);
  await deps.members.updateMany(
    { _id: { $in: left.map((userId) => memberId(roomId, userId)) }, membership: { $in: ['leave', 'ban'] } },
    { $set: { forgotten: true } },
  );
  const kicked = newRoomId === undefined ? left : await joinAll(deps, newRoomId, left);
  const done = new Set(kicked);
  return { kicked, failed: users.filter((userId) => !done.has(userId)) };
}

/** Makes users join a room, except deactivated ones; returns the users who are in it afterwards. */
async function joinAll(deps: Deps, roomId: string, users: readonly string[]): Promise<readonly string[]> {
  const gone = await deps.users.deactivated(users);
  const coming = users.filter((userId) => !gone.has(userId));
  const profiles = await deps.users.profiles(coming);
  const joined = await forEach(deps, roomId, 'join', coming, async (view, userId) => {
    if ((await view.membership(userId)) === 'join') return;
    const { displayname, avatarUrl } = profiles.get(userId) ?? {};
    const profile = { displayName: displayname ?? null, avatarUrl: avatarUrl ?? null };
    await addOwnMember(view, userId, 'join', profile);
  });
  // They have left again.
  const late = await deps.users.deactivated(joined);
  return joined.filter((userId) => !late.has(userId));
}

/** Makes users leave a room who are in it; returns those for whom that was not refused. */
function leaveAll(deps: Deps, roomId: string, users: readonly string[]): Promise<readonly string[]> {
  return forEach(deps, roomId, 'leave', users, async (view, userId) => {
    if ((await view.membership(userId)) === 'join') await addOwnMember(view, userId, 'leave');
  });
}

/** Adds a membership for each of some users to a room, in one commit; returns those for whom that was not refused. */
function forEach(
  deps: Deps,
  roomId: string,
  membership: Membership,
  users: readonly string[],
  add: (view: RoomView, userId: string) => Promise<void>,
): Promise<readonly string[]> {
  if (users.length === 0) return Promise.resolve([]);
  const addAll = async (view: RoomView) => {
    const admitted: string[] = [];
    await prepareOwnMembers(view, users, membership);
    for (const userId of users) {
      try {
        await add(view, userId);
        admitted.push(userId);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return admitted;
  };
  return append(deps, roomId, addAll, { inBackground: true });
}
