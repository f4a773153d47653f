import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ListPublicRoomsRequest,
  PublicRoomSchema,
  SearchPublicRoomsRequest,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import { requesterKey } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { formatDirectoryCursor, readDirectoryCursor } from './directory-cursor.ts';
import { findPublicRooms, type ListedRoom, MAX_PAGE, type PublicRoomQuery } from './find-public-rooms.ts';

/** A page of the rooms that anybody may find (client-plane.md 7.11). */
export async function listPublicRooms(deps: Deps, request: ListPublicRoomsRequest, context: HandlerContext) {
  if (deps.settings.publicRooms.requireAuth && !context.values.get(requesterKey)) {
    throw refuse.missingToken('Missing access token');
  }
  return pageOf(deps, request, {});
}

/** As `listPublicRooms`, of the rooms that a filter wants. */
export async function searchPublicRooms(deps: Deps, request: SearchPublicRoomsRequest) {
  const { genericSearchTerm, roomTypes } = request.filter ?? {};
  return pageOf(deps, request, {
    term: genericSearchTerm?.toLowerCase(),
    types: roomTypes === undefined ? undefined : readTypes(roomTypes),
  });
}

async function pageOf(
  deps: Deps,
  { server, since, limit }: Pick<ListPublicRoomsRequest, 'server' | 'since' | 'limit'>,
  filter: Pick<PublicRoomQuery, 'term' | 'types'>,
) {
  const cursor = since === undefined || since === '' ? undefined : readDirectoryCursor(since);
  if (server !== undefined && server !== '' && server !== deps.serverName) {
    throw refuse.notFound('Nothing is known of the rooms of other servers');
  }
  if (!deps.settings.publicRooms.enabled) return { chunk: [], totalRoomCountEstimate: 0n };
  const requested = Math.min(Number(limit ?? 0n), MAX_PAGE);
  const query = { ...filter, since: cursor, limit: requested === 0 ? MAX_PAGE : requested };
  const [{ rooms, next, previous }, total] = await Promise.all([
    findPublicRooms(deps, query),
    deps.rooms.countDocuments({ public: true }),
  ]);
  return {
    chunk: rooms.map(toEntry),
    ...(next ? { nextBatch: formatDirectoryCursor(next) } : {}),
    ...(previous ? { prevBatch: formatDirectoryCursor(previous) } : {}),
    totalRoomCountEstimate: BigInt(total),
  };
}

function readTypes(text: string): ReadonlySet<string | null> {
  const types: unknown = JSON.parse(text);
  if (!Array.isArray(types) || !types.every((type) => type === null || typeof type === 'string')) {
    throw refuse.badJson("'room_types' must be a list of strings and nulls");
  }
  return new Set<string | null>(types);
}

function toEntry(room: ListedRoom): MessageInitShape<typeof PublicRoomSchema> {
  return {
    roomId: room._id,
    numJoinedMembers: BigInt(room.joined_members),
    worldReadable: room.history_visibility === 'world_readable',
    guestCanJoin: room.guest_access === 'can_join',
    name: room.name ?? undefined,
    topic: room.topic ?? undefined,
    canonicalAlias: room.canonical_alias ?? undefined,
    avatarUrl: room.avatar ?? undefined,
    joinRule: room.join_rules ?? undefined,
    roomType: room.room_type ?? undefined,
  };
}
