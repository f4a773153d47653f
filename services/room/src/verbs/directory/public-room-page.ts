import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  ListPublicRoomsRequest,
  PublicRoomSchema,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { listedFields } from '../../core/model/listed-room.ts';
import { formatDirectoryCursor, readDirectoryCursor } from './directory-cursor.ts';
import { findPublicRooms, type ListedRoom, MAX_PAGE, type PublicRoomQuery } from './find-public-rooms.ts';

/**
 * The response with a page of the directory's rooms that match a filter.
 *
 * @throws refuse.invalidParam for an invalid token, refuse.notFound for the directory of another server
 */
export async function publicRoomPage(
  deps: Deps,
  { server, since, limit }: Pick<ListPublicRoomsRequest, 'server' | 'since' | 'limit'>,
  filter: Pick<PublicRoomQuery, 'term' | 'types'>,
) {
  const cursor = since === undefined || since === '' ? undefined : readDirectoryCursor(since);
  if (server !== undefined && server !== '' && server !== deps.serverName) {
    throw refuse.notFound('The directories of other servers are not available');
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

function toEntry(room: ListedRoom): MessageInitShape<typeof PublicRoomSchema> {
  return {
    ...listedFields(room),
    joinRule: room.join_rules ?? undefined,
  };
}
