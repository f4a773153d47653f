import type { MessageInitShape } from '@bufbuild/protobuf';
import { clampToSafe, compareCodePoints } from '@steward/kernel';
import type {
  ListRoomsRequest,
  ListRoomsResponseSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Filter, Projection, Sort } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { FACET_SORT_KEYS, type Room } from '../../core/model/room.ts';
import { toEntry } from './room-entry.ts';
import { type RoomSelection, selectRooms, sizeOf } from './room-selection.ts';

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
  last_activity_ts: 1,
  messages: 1,
  event_bytes: 1,
  created_ts: 1,
} as const;

/** The fields of an entry with details. */
const detailFields = { ...entryFields, blocked: 1, tombstoned: 1, replacement_room: 1 } as const;

/** A sort key of lists: a field of the room, and its direction for `dir=f`. */
type SortKey = readonly [field: keyof typeof entryFields, direction: 1 | -1];

const NAME: SortKey = ['name', 1];
const MEMBERS: SortKey = ['joined_members', -1];
const LAST_ACTIVITY: SortKey = ['last_activity_ts', -1];
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
  size: MEMBERS,
  joined_members: MEMBERS,
  joined_local_members: ['joined_local_members', -1],
  version: ['room_version', -1],
  state_events: ['state_events', -1],
  last_activity: LAST_ACTIVITY,
  messages: ['messages', -1],
  bytes: ['event_bytes', -1],
  created: ['created_ts', -1],
};

/** The most facets whose rooms one query merges along an index; see `MAX_BRANCHES` of the embedded engine. */
const MAX_MERGED = 64;

/** The most rooms that are read of each part of a page that several queries make. */
const MAX_READ = 2_000;

/** How many more rooms are read than should be needed to find enough of frequent facets. */
const MARGIN = 1.5;

/** About how many rooms along an index are read in the time that the merge takes for one more facet. */
const READ_PER_FACET = 5;

/** The rooms that are read together by their ids. */
const IDS = 500;

/** The rooms that match, in order. */
interface Listing extends RoomSelection {
  readonly key: SortKey[0];
  readonly direction: 1 | -1;
  readonly projection: Projection<Room>;
}

/** Lists a page of the rooms that match the filters (behaviour.md 10.1, 13.5). */
export async function listRooms(
  deps: Deps,
  request: ListRoomsRequest,
): Promise<MessageInitShape<typeof ListRoomsResponseSchema>> {
  const from = clampToSafe(request.from ?? 0n);
  const limit = Math.min(clampToSafe(request.limit ?? BigInt(DEFAULT_LIMIT)), MAX_LIMIT);
  const [key, forward] = sortKeyOf(request);
  const direction = request.dir === 'b' ? (-forward as 1 | -1) : forward;
  const projection = request.details ? detailFields : entryFields;
  const listing: Listing = { ...(await selectRooms(deps, request)), key, direction, projection };
  const { rooms, total } =
    request.searchTerm === undefined
      ? await pageOf(deps, listing, from, limit)
      : await searchedPage(deps, listing, request.searchTerm, from, limit);
  const next = from + limit < total ? BigInt(from + limit) : undefined;
  return {
    rooms: rooms.map((room) => toEntry(room, request)),
    offset: BigInt(from),
    totalRooms: BigInt(total),
    ...(next === undefined ? {} : { nextBatch: next, nextToken: next }),
    ...(from > 0 ? { prevBatch: BigInt(Math.max(from - limit, 0)) } : {}),
  };
}

/** The order that is asked for; by default one in which an index holds the rooms that the filters select. */
function sortKeyOf({ orderBy, ...request }: ListRoomsRequest): SortKey {
  if (orderBy !== undefined) return SORT_KEYS[orderBy] ?? NAME;
  if ((request.lastActivityAfter ?? request.lastActivityBefore) !== undefined) return LAST_ACTIVITY;
  return (request.membersMin ?? request.membersMax) === undefined ? NAME : MEMBERS;
}

interface Part {
  readonly rooms: readonly Room[];
  /** The number of all rooms that match. */
  readonly total: number;
}

async function pageOf(
  deps: Pick<Deps, 'rooms'>,
  listing: Listing,
  skip: number,
  limit: number,
): Promise<Part> {
  const { facets, ids } = listing;
  if (facets?.size === 0) return { rooms: [], total: 0 };
  if (ids) {
    const all = await amongIds(deps, listing, ids);
    return { rooms: all.slice(skip, skip + limit), total: all.length };
  }
  const [rooms, total] = await Promise.all([partOf(deps, listing, skip, limit), countOf(deps, listing)]);
  return { rooms, total };
}

/** The rooms that match, of those with some ids, in order. Few enough to be sorted here. */
async function amongIds(
  { rooms }: Pick<Deps, 'rooms'>,
  listing: Listing,
  ids: readonly string[],
): Promise<readonly Room[]> {
  const { facets, filters, direction } = listing;
  const found: Room[] = [];
  for (let start = 0; start < ids.length; start += IDS) {
    const filter: Filter<Room> = { $and: [{ _id: { $in: ids.slice(start, start + IDS) } }, ...filters] };
    const projection = { ...listing.projection, facet: 1 } as const;
    found.push(...(await rooms.find(filter, { projection }).toArray()));
  }
  return found
    .filter(({ facet }) => facets?.has(facet) ?? true)
    .sort((a, b) => compareRooms(listing, a, b) * direction);
}

/** The number of rooms that match: a sum of kept numbers, where facets alone decide. */
async function countOf({ rooms }: Pick<Deps, 'rooms'>, listing: Listing): Promise<number> {
  const { facets, filters } = listing;
  return facets && filters.length === 0 ? sizeOf(facets) : rooms.countDocuments(filterOf(listing));
}

async function partOf(
  deps: Pick<Deps, 'rooms'>,
  listing: Listing,
  skip: number,
  limit: number,
): Promise<readonly Room[]> {
  if (limit === 0) return [];
  const { direction, projection } = listing;
  const sort = sortOf(listing);
  const frequent = skip === 0 ? await frequentRooms(deps, listing, limit) : undefined;
  if (frequent) return frequent;
  const groups = skip + limit <= MAX_READ ? mergedGroups(listing) : [listing.among];
  if (groups.length === 1) {
    return deps.rooms.find(filterOf(listing), { sort, skip, limit, projection }).toArray();
  }
  // Each part along the index, which no single query would take for so many facets.
  const parts = await Promise.all(
    groups.map((among) =>
      deps.rooms.find(filterOf({ ...listing, among }), { sort, limit: skip + limit, projection }).toArray(),
    ),
  );
  const inOrder = (a: Room, b: Room) => compareRooms(listing, a, b) * direction;
  return parts
    .flat()
    .sort(inOrder)
    .slice(skip, skip + limit);
}

/**
 * The first rooms that match, where many rooms have one of the facets: so do many of those that the order begins with, and
 * reading some more of them costs less than merging the rooms of many facets. `undefined` where that is not so.
 */
async function frequentRooms(
  { rooms }: Pick<Deps, 'rooms'>,
  listing: Listing,
  limit: number,
): Promise<readonly Room[] | undefined> {
  const { facets, among, share } = listing;
  if (!facets || !among || !isAlongKey(listing)) return undefined;
  const most = Math.ceil((limit / share) * MARGIN);
  if (most > among.values.length * READ_PER_FACET) return undefined;
  const found = await rooms
    .find(filterOf({ ...listing, among: undefined }), {
      sort: sortOf(listing),
      limit: most,
      projection: { ...listing.projection, facet: 1 },
    })
    .toArray();
  const matching = found.filter(({ facet }) => facets.has(facet));
  return matching.length < limit && found.length === most ? undefined : matching.slice(0, limit);
}

/** Whether the filters, apart from the facets, are limits of the sort key. */
const isAlongKey = ({ filters, key }: Listing) =>
  filters.every((filter) => Object.keys(filter).every((path) => path === key));

/** The facets in groups that one query each can merge along an index, if there is one for the order and the filters. */
function mergedGroups(listing: Listing): readonly RoomSelection['among'][] {
  const { among, key } = listing;
  if (!among || among.values.length <= MAX_MERGED || !isAlongKey(listing)) return [among];
  const { path, values } = among;
  if (!FACET_SORT_KEYS[path].some((indexed) => indexed === key)) return [among];
  return Array.from({ length: Math.ceil(values.length / MAX_MERGED) }, (_, i) => ({
    path,
    values: values.slice(i * MAX_MERGED, (i + 1) * MAX_MERGED),
  }));
}

/** The filter of a selection. */
function filterOf({ among, ids, filters }: Pick<RoomSelection, 'among' | 'ids' | 'filters'>): Filter<Room> {
  const all = [
    ...(ids ? [{ _id: { $in: [...ids] } }] : []),
    ...(among ? [{ [among.path]: { $in: among.values } }] : []),
    ...filters,
  ];
  return all.length === 0 ? {} : { $and: all };
}

function sortOf(listing: Pick<Listing, 'key' | 'direction'>): Sort<Room> {
  return { [listing.key]: listing.direction, _id: tieDirection(listing) };
}

/** Ties follow the direction of the key, so that one index serves both directions; those of sizes are reversed in theirs. */
function tieDirection({ key, direction }: Pick<Listing, 'key' | 'direction'>): 1 | -1 {
  return key === 'event_bytes' ? (-direction as 1 | -1) : direction;
}

/** Compares rooms in the ascending order of a key, as the store does: null comes first. */
function compareRooms({ key }: Pick<Listing, 'key'>, one: Room, other: Room): number {
  const [a, b] = [one[key] ?? null, other[key] ?? null];
  const ids = compareCodePoints(one._id, other._id) * tieDirection({ key, direction: 1 });
  if (a === null || b === null) return Number(a !== null) - Number(b !== null) || ids;
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b) || ids;
  return Number(a) - Number(b) || ids;
}

/** A page of the rooms whose name or alias contains a term, and of the room whose id equals the term, in order. */
async function searchedPage(
  deps: Pick<Deps, 'rooms'>,
  listing: Listing,
  searched: string,
  from: number,
  limit: number,
): Promise<Part> {
  const term = searched.toLowerCase();
  const search: Filter<Room> = { $contains: { paths: ['folded_name', 'folded_alias'], term } };
  const found: Listing = { ...listing, filters: [...listing.filters, search] };
  const named = await deps.rooms.findOne(
    { ...filterOf(listing), _id: searched },
    { projection: listing.projection },
  );
  if (!named || named.folded_name.includes(term) || named.folded_alias.includes(term)) {
    return pageOf(deps, found, from, limit);
  }
  const position = await deps.rooms.countDocuments({ ...filterOf(found), ...before(listing, named) });
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
  const value = room[key] ?? null;
  const precedes = tieDirection({ key, direction }) === 1 ? '$lt' : '$gt';
  const tie = { [key]: value, _id: { [precedes]: room._id } };
  return { $or: [...ahead(key, value, direction), tie] };
}

/** The filters for rooms whose sort key precedes a value: null precedes everything, false precedes true. */
function ahead(
  key: SortKey[0],
  value: NonNullable<Room[SortKey[0]]> | null,
  direction: 1 | -1,
): readonly Filter<Room>[] {
  const isLeast = value === null || value === false;
  if (isLeast || value === true) return isLeast === (direction === 1) ? [] : [{ [key]: { $ne: value } }];
  return direction === 1 ? [{ [key]: { $lt: value } }, { [key]: null }] : [{ [key]: { $gt: value } }];
}
