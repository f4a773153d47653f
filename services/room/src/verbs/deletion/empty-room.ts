import type { RunningTask } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import type { Deps } from '../../core/deps.ts';
import { isPresent, memberId, PRESENT } from '../../core/model/member.ts';
import type { Membership } from '../../core/protocol/mod.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addOwnMember, ownMember, prepareOwnMembers } from '../../core/view/add-own-member.ts';
import type { RoomView } from '../../core/view/room-view.ts';
import type { DeletionPart } from './deletion.ts';

/**
 * Members who leave with one commit. Larger batches delay other requests for longer, and are not faster while other
 * requests are served.
 */
const MEMBERS_PER_COMMIT = 50;

/**
 * The memberships in the order in which they end. Joined members come first, so that none of them is left to invite
 * further users when the invitations end; and again last, because a user may have accepted an invitation before it ended.
 */
const PASSES = [...PRESENT, 'join'] as const;

/** The progress of a deletion through members. */
export interface MembersCursor {
  /** The number of the next part of the outcome. */
  readonly part: number;
  /** The index of the pass; absent in the first one. */
  readonly pass?: number;
  /** The id of the last member document that this pass has processed. */
  readonly after?: string;
  /** The users being processed; stored, because a query no longer finds those already processed. */
  readonly batch?: readonly string[];
}

/**
 * Makes every member of this server leave a room and forget it, and join the new room if there is one; then ends the
 * invitations and knocks of this server's users. Each commit processes a batch of users.
 */
export async function emptyRoom(
  deps: Deps,
  task: RunningTask<unknown, MembersCursor>,
  newRoomId: string | undefined,
): Promise<void> {
  const reached = task.cursor()?.pass ?? 0;
  for (let pass = reached; pass < PASSES.length; pass++) await runPass(deps, task, newRoomId, pass);
}

/** Processes the users of a pass, beginning after those that an earlier run of the task has processed. */
async function runPass(
  deps: Deps,
  task: RunningTask<unknown, MembersCursor>,
  newRoomId: string | undefined,
  pass: number,
): Promise<void> {
  const membership = PASSES[pass] ?? 'join';
  const saved = task.cursor() ?? { part: 0 };
  let { part, after, batch }: MembersCursor = (saved.pass ?? 0) === pass ? saved : { part: saved.part };
  if (!batch) {
    batch = await nextMembers(deps, task.key, membership, after ?? '');
    if (batch.length === 0) return;
    await task.save({ cursor: { part, pass, ...(after === undefined ? {} : { after }), batch } });
  }
  while (batch) {
    const outcome = await moveMembers(deps, task.key, membership === 'join' ? newRoomId : undefined, batch);
    await task.addPart(part++, outcome);
    after = memberId(task.key, batch.at(-1) ?? '');
    const done = task.done + batch.length;
    const next = await nextMembers(deps, task.key, membership, after);
    batch = next.length > 0 ? next : undefined;
    await task.save({ cursor: { part, pass, after, ...(batch ? { batch } : {}) }, done });
  }
}

async function nextMembers(
  deps: Deps,
  roomId: string,
  membership: string,
  after: string,
): Promise<readonly string[]> {
  const members = await deps.members
    .find(
      { room_id: roomId, local: true, forgotten: false, membership, _id: { $gt: after } },
      { sort: { _id: 1 }, limit: MEMBERS_PER_COMMIT, projection: { user_id: 1 } },
    )
    .toArray();
  return members.map(({ user_id }) => user_id);
}

async function moveMembers(
  deps: Deps,
  roomId: string,
  newRoomId: string | undefined,
  users: readonly string[],
): Promise<DeletionPart> {
  const left = await leaveAll(deps, roomId, users);
  // Members who left by themselves in the meantime.
  const ids = left.map((userId) => memberId(roomId, userId));
  await deps.members.updateMany(
    { _id: { $in: ids }, membership: { $in: ['leave', 'ban'] }, forgotten: false },
    { $set: { forgotten: true } },
  );
  const kicked = newRoomId === undefined ? left : await joinAll(deps, newRoomId, left);
  const done = new Set(kicked);
  return { kicked, failed: users.filter((userId) => !done.has(userId)) };
}

/** Makes users join a room, except deactivated ones; returns the users who are joined afterwards. */
async function joinAll(deps: Deps, roomId: string, users: readonly string[]): Promise<readonly string[]> {
  const deactivated = await deps.users.deactivated(users);
  const active = users.filter((userId) => !deactivated.has(userId));
  const profiles = await deps.users.profiles(active);
  const joined = await forEach(deps, roomId, 'join', active, async (view, userId) => {
    if ((await view.membership(userId)) === 'join') return;
    const { displayname, avatarUrl } = profiles.get(userId) ?? {};
    const profile = { displayName: displayname ?? null, avatarUrl: avatarUrl ?? null };
    await addOwnMember(view, userId, 'join', profile);
  });
  // The recheck of admitted members has made users leave again who were deactivated in between.
  const rechecked = await deps.users.deactivated(joined);
  return joined.filter((userId) => !rechecked.has(userId));
}

/** Makes users leave and forget a room in which they have a membership; returns the users for whom the room did not refuse it. */
function leaveAll(deps: Deps, roomId: string, users: readonly string[]): Promise<readonly string[]> {
  return forEach(deps, roomId, 'leave', users, async (view, userId) => {
    if (!isPresent(await view.membership(userId))) return;
    await view.add(ownMember(userId, 'leave'), { forgets: true });
  });
}

/** Calls `add` for each user within one commit of a room; returns the users for whom the room did not refuse it. */
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
