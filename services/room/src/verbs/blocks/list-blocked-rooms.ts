import type { MessageInitShape } from '@bufbuild/protobuf';
import { clampToSafe, optionalInt64 } from '@steward/kernel';
import type {
  BlockedRoomSchema,
  ListBlockedRoomsRequest,
  ListBlockedRoomsResponseSchema,
} from '@steward/proto/steward/room/v1/blocked_rooms_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import type { Block } from '../../core/model/block.ts';
import type { Room } from '../../core/model/room.ts';
import { type BlockedCursor, formatBlockedCursor, readBlockedCursor } from './blocked-cursor.ts';

/** The default number of rooms of a page. */
const DEFAULT_LIMIT = 100;

/** The most rooms of a page. */
const MAX_LIMIT = 1_000;

/** Lists a page of the blocked rooms, by the times at which they were blocked. */
export async function listBlockedRooms(
  deps: Pick<Deps, 'blocks' | 'rooms'>,
  request: ListBlockedRoomsRequest,
): Promise<MessageInitShape<typeof ListBlockedRoomsResponseSchema>> {
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const direction = request.dir === 'b' ? 1 : -1;
  const selected: Filter<Block> = {
    blocked_ts: { $gte: 0 },
    ...(request.blockedBy === undefined ? {} : { user_id: request.blockedBy }),
  };
  const page = request.from === undefined ? {} : after(readBlockedCursor(request.from), direction);
  const [found, total] = await Promise.all([
    deps.blocks
      .find({ ...selected, ...page }, { sort: { blocked_ts: direction, _id: direction }, limit: limit + 1 })
      .toArray(),
    deps.blocks.countDocuments(selected),
  ]);
  const listed = found.slice(0, limit);
  const last = found.length > limit ? listed.at(-1) : undefined;
  const named = await existing(deps, listed);
  return {
    rooms: listed.map((block) => toEntry(block, named.get(block._id))),
    total: BigInt(total),
    ...(last
      ? { nextToken: formatBlockedCursor({ blockedTs: last.blocked_ts ?? 0, roomId: last._id }) }
      : {}),
  };
}

/** The blocks behind a cursor. */
function after({ blockedTs, roomId }: BlockedCursor, direction: 1 | -1): Filter<Block> {
  const isNext = direction === 1 ? '$gt' : '$lt';
  return {
    blocked_ts: { [direction === 1 ? '$gte' : '$lte']: blockedTs },
    $or: [{ blocked_ts: { [isNext]: blockedTs } }, { _id: { [isNext]: roomId } }],
  };
}

type Named = Pick<Room, '_id' | 'name' | 'canonical_alias'>;

/** The blocked rooms that exist, by id. */
async function existing(
  { rooms }: Pick<Deps, 'rooms'>,
  blocked: readonly Block[],
): Promise<ReadonlyMap<string, Named>> {
  if (blocked.length === 0) return new Map();
  const ids = blocked.map(({ _id }) => _id);
  const found = await rooms
    .find({ _id: { $in: ids } }, { projection: { name: 1, canonical_alias: 1 } })
    .toArray();
  return new Map(found.map((room) => [room._id, room]));
}

function toEntry(block: Block, room: Named | undefined): MessageInitShape<typeof BlockedRoomSchema> {
  return {
    roomId: block._id,
    userId: block.user_id ?? '',
    blockedTs: optionalInt64(block.blocked_ts || null),
    exists: room !== undefined,
    name: room?.name ?? undefined,
    canonicalAlias: room?.canonical_alias ?? undefined,
  };
}
