import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRoomsRequest,
  ListRoomsResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Filter, Sort } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { clampToSafe } from '../../core/model/clamp-to-safe.ts';
import type { Room } from '../../core/model/room.ts';
import { toEntry } from './room-entry.ts';

/** The default number of rooms of a page. */
const DEFAULT_LIMIT = 100;

/** The most rooms of a page. */
const MAX_LIMIT = 10_000;

const entryFields = {
  name: 1,
  canonical_alias: 1,
  joined_members: 1,
  joined_local_members: 1,
  room_version: 1,
  creator: 1,
  encryption: 1,
  federatable: 1,
  public: 1,
  join_rules: 1,
  guest_access: 1,
  history_visibility: 1,
  state_events: 1,
  room_type: 1,
  folded_name: 1,
  folded_alias: 1,
} as const;

/** A sort key of lists: a field of the room, and its direction for `dir=f`. */
type SortKey = readonly [field: keyof typeof entryFields, direction: 1 | -1];

const NAME: SortKey = ['name', 1];
const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  alphabetical: NAME,
  name: NAME,
  canonical_alias: ['canonical_alias', 1],
  creator: ['creator', 1],
  encryption: ['encryption', 1],
  federatable: ['federatable', 1],
  public: ['public', 1],
  join_rules: ['join_rules', 1],
  guest_access: ['guest_access', 1],
  history_visibility: ['history_visibility', 1],
  size: ['joined_members', -1],
  joined_members: ['joined_members', -1],
  joined_local_members: ['joined_local_members', -1],
  version: ['room_version', -1],
  state_events: ['state_events', -1],
};

type ListDeps = Pick<Deps, 'rooms'>;

/** The rooms that match, in order. */
interface Listing {
  readonly filter: Filter<Room>;
  readonly key: SortKey[0];
  readonly direction: 1 | -1;
}

/** Lists a page of the rooms that match the filters (behaviour.md 10.1, 13.5). */
export async function listRooms(
  deps: ListDeps,
  request: ListRoomsRequest,
): Promise<MessageInitShape<typeof ListRoomsResponseSchema>> {
  const from = clampToSafe(request.from ?? 0n);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const [key, forward] = SORT_KEYS[request.orderBy ?? 'name'] ?? NAME;
  const direction = request.dir === 'b' ? (-forward as 1 | -1) : forward;
  const filter = filterOf(request);
  const { rooms, total } =
    request.searchTerm === undefined
      ? await pageOf(deps, { filter, key, direction }, from, limit)
      : await searchedPage(deps, { filter, key, direction }, request.searchTerm, from, limit);
  const next = from + limit < total ? BigInt(from + limit) : undefined;
  return {
    rooms: rooms.map(toEntry),
    offset: BigInt(from),
    totalRooms: BigInt(total),
    ...(next === undefined ? {} : { nextBatch: next, nextToken: next }),
    ...(from > 0 ? { prevBatch: BigInt(Math.max(from - limit, 0)) } : {}),
  };
}

function filterOf({ publicRooms, emptyRooms }: ListRoomsRequest): Filter<Room> {
  return {
    ...(publicRooms === undefined ? {} : { public: publicRooms }),
    ...(emptyRooms === undefined ? {} : { joined_members: emptyRooms ? 0 : { $gt: 0 } }),
  };
}

interface Part {
  readonly rooms: readonly Room[];
  /** The number of all rooms that match. */
  readonly total: number;
}

async function pageOf(deps: ListDeps, listing: Listing, skip: number, limit: number): Promise<Part> {
  const [rooms, total] = await Promise.all([
    partOf(deps, listing, skip, limit),
    deps.rooms.countDocuments(listing.filter),
  ]);
  return { rooms, total };
}

async function partOf(
  deps: ListDeps,
  { filter, key, direction }: Listing,
  skip: number,
  limit: number,
): Promise<readonly Room[]> {
  if (limit === 0) return [];
  // Ties follow the direction of the key, so that one index serves both directions.
  const sort: Sort<Room> = { [key]: direction, _id: direction };
  return deps.rooms.find(filter, { sort, skip, limit, projection: entryFields }).toArray();
}

/** A page of the rooms whose name or alias contains a term, and of the room whose id equals the term, in order. */
async function searchedPage(
  deps: ListDeps,
  listing: Listing,
  searched: string,
  from: number,
  limit: number,
): Promise<Part> {
  const term = searched.toLowerCase();
  const found: Listing = {
    ...listing,
    filter: { ...listing.filter, $contains: { paths: ['folded_name', 'folded_alias'], term } },
  };
  const named = await deps.rooms.findOne({ ...listing.filter, _id: searched }, { projection: entryFields });
  if (!named || named.folded_name.includes(term) || named.folded_alias.includes(term)) {
    return pageOf(deps, found, from, limit);
  }
  const position = await deps.rooms.countDocuments({ ...found.filter, ...before(listing, named) });
  const isHere = from <= position && position < from + limit;
  const { rooms, total } = await pageOf(
    deps,
    found,
    from > position ? from - 1 : from,
    isHere ? limit - 1 : limit,
  );
  return { rooms: isHere ? rooms.toSpliced(position - from, 0, named) : rooms, total: total + 1 };
}

/** The rooms that precede a room in a list. */
function before({ key, direction }: Listing, room: Room): Filter<Room> {
  const tie = { [key]: room[key], _id: { [direction === 1 ? '$lt' : '$gt']: room._id } };
  return { $or: [...ahead(key, room[key], direction), tie] };
}

/** The filters for rooms whose sort key precedes a value: null precedes everything, false precedes true. */
function ahead(key: SortKey[0], value: Room[SortKey[0]], direction: 1 | -1): readonly Filter<Room>[] {
  const isLeast = value === null || value === false;
  if (isLeast || value === true) return isLeast === (direction === 1) ? [] : [{ [key]: { $ne: value } }];
  return direction === 1 ? [{ [key]: { $lt: value } }, { [key]: null }] : [{ [key]: { $gt: value } }];
}
