import { refuse } from '@steward/errors';
import type { FindVisibleUsersRequest } from '@steward/proto/steward/room/v1/visibility_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { type MemberDocument, memberId } from '../../core/model/member.ts';

/** The most users of one request. */
const MAX_CANDIDATES = 1_000;

/** Memberships that are read with one query; also the most that are read of one user. */
const PAGE = 1_000;

type Membership = Pick<MemberDocument, 'user_id' | 'room_id'>;

/** Returns the candidates whom a searcher may find in the user directory; for another service (client-plane.md 7.5). */
export async function findVisibleUsers(deps: Deps, { searcher, candidates }: FindVisibleUsersRequest) {
  if (candidates.length > MAX_CANDIDATES) {
    throw refuse.invalidParam(`At most ${MAX_CANDIDATES} users at once`);
  }
  const visible = new Set<string>();
  let left = [...new Set(candidates)];
  while (left.length > 0) {
    const page = await deps.members
      .find(
        { user_id: { $in: left }, membership: 'join' },
        { sort: { user_id: 1 }, limit: PAGE, projection: { _id: 0, user_id: 1, room_id: 1 } },
      )
      .toArray();
    const open = await openRooms(deps, searcher, page);
    for (const { user_id, room_id } of page) if (open.has(room_id)) visible.add(user_id);
    const [first] = page;
    const last = page.at(-1);
    if (!first || !last || page.length < PAGE) break;
    // The last user of a page may be in further rooms and is read again, unless the page has no other user.
    const done = new Set([...page.map(({ user_id }) => user_id), ...visible]);
    if (first.user_id !== last.user_id && !visible.has(last.user_id)) done.delete(last.user_id);
    left = left.filter((userId) => !done.has(userId));
  }
  return { userIds: [...visible] };
}

/** The rooms of some memberships that are public, or that the searcher has joined too. */
async function openRooms(
  deps: Deps,
  searcher: string,
  memberships: readonly Membership[],
): Promise<ReadonlySet<string>> {
  const roomIds = [...new Set(memberships.map(({ room_id }) => room_id))];
  const [open, shared] = await Promise.all([
    deps.rooms
      .find(
        { _id: { $in: roomIds }, $or: [{ join_rules: 'public' }, { history_visibility: 'world_readable' }] },
        { projection: { _id: 1 } },
      )
      .toArray(),
    deps.members
      .find(
        { _id: { $in: roomIds.map((roomId) => memberId(roomId, searcher)) }, membership: 'join' },
        { projection: { room_id: 1 } },
      )
      .toArray(),
  ]);
  return new Set([...open.map(({ _id }) => _id), ...shared.map(({ room_id }) => room_id)]);
}
