import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type {
  GetHierarchyRequest,
  GetHierarchyResponseSchema,
  HierarchyRoomSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom, loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';
import { type ChildOfSpace, childrenOfSpace } from '../../core/spaces/children-of-space.ts';
import { SPACE } from '../../core/spaces/rooms-of-space.ts';

/** The most rooms of a page, and the default. */
const MAX_LIMIT = 50;

/** The most rooms of a hierarchy that are visited: every page visits the rooms of the pages before it again. */
const MAX_ROOMS = 10_000;

/** A room that is still to be visited. */
interface Visit {
  readonly roomId: string;
  readonly depth: number;
}

/** Lists the rooms below a space, depth first, each once (behaviour.md 13.5); omits rooms unknown to this server. */
export async function getHierarchy(
  deps: Deps,
  request: GetHierarchyRequest,
): Promise<MessageInitShape<typeof GetHierarchyResponseSchema>> {
  const { roomId } = request;
  const maxDepth = request.maxDepth === undefined ? Number.POSITIVE_INFINITY : clampToSafe(request.maxDepth);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(MAX_LIMIT)), MAX_LIMIT);
  const query = JSON.stringify([roomId, request.maxDepth === undefined ? null : maxDepth]);
  const from = request.from === undefined ? 0 : readToken(request.from, query);
  await existingRoom(deps, roomId);

  const rooms: MessageInitShape<typeof HierarchyRoomSchema>[] = [];
  const visited = new Set<string>();
  const waiting: Visit[] = [{ roomId, depth: 0 }];
  let passed = 0;
  for (;;) {
    const visit = waiting.pop();
    if (!visit) return { rooms };
    if (visited.has(visit.roomId)) continue;
    visited.add(visit.roomId);
    const room = await loadRoom(deps, visit.roomId);
    if (!room) continue;
    if (passed >= from && rooms.length === limit) return { rooms, nextBatch: writeToken(passed, query) };
    const children = room.room_type === SPACE ? await childrenOfSpace(deps, room) : [];
    if (passed >= from) rooms.push(toHierarchyRoom(room, children));
    passed++;
    if (passed === MAX_ROOMS) return { rooms };
    if (visit.depth >= maxDepth) continue;
    // Pushed in reverse, so that the first child is visited next.
    for (const { roomId: child } of children.toReversed())
      waiting.push({ roomId: child, depth: visit.depth + 1 });
  }
}

function toHierarchyRoom(
  room: Room,
  children: readonly ChildOfSpace[],
): MessageInitShape<typeof HierarchyRoomSchema> {
  return {
    roomId: room._id,
    name: room.name ?? undefined,
    topic: room.topic ?? undefined,
    canonicalAlias: room.canonical_alias ?? undefined,
    avatarUrl: room.avatar ?? undefined,
    numJoinedMembers: BigInt(room.joined_members),
    worldReadable: room.history_visibility === 'world_readable',
    guestCanJoin: room.guest_access === 'can_join',
    joinRule: room.join_rules ?? 'invite',
    roomType: room.room_type ?? undefined,
    childrenState: children.map(({ stripped }) => stripped),
  };
}

/** A token holds the number of rooms returned so far, and the query. */
function writeToken(passed: number, query: string): string {
  return Buffer.from(JSON.stringify([passed, query])).toString('base64url');
}

/** @throws refuse.invalidParam for a text that is not a token of the same query */
function readToken(token: string, query: string): number {
  const passed = parse(token, query);
  if (passed === undefined) throw refuse.invalidParam("'from' belongs to no such query");
  return passed;
}

function parse(token: string, query: string): number | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(value) || value[1] !== query) return undefined;
    return Number.isSafeInteger(value[0]) && value[0] >= 0 ? value[0] : undefined;
  } catch {
    return undefined;
  }
}
