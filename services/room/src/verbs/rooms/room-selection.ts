import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { ListRoomsRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Filter } from '@steward/store';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { resolveAlias } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';
import { flagsOf, isNamed, type Traits, traitsOf } from '../../core/model/room-facet.ts';
import { childrenOfSpace } from '../../core/spaces/children-of-space.ts';

/** The rooms that the filters of a request select. */
export interface RoomSelection {
  /** The facets of the rooms with the number of rooms that have each; `undefined` where facets do not matter. */
  readonly facets: ReadonlyMap<string, number> | undefined;
  /** What the facets are tested by: the field that holds them or their flags, and its values. */
  readonly among: { readonly path: 'facet' | 'flags'; readonly values: readonly string[] } | undefined;
  /** The share of all rooms that have one of the facets, 0 to 1. */
  readonly share: number;
  /** The only rooms that can match, each once; `undefined` where all rooms can. */
  readonly ids: readonly string[] | undefined;
  /** What the rooms satisfy besides: each of these. */
  readonly filters: readonly Filter<Room>[];
}

/** The selection of all rooms. */
const ALL: RoomSelection = { facets: undefined, among: undefined, share: 1, ids: undefined, filters: [] };

/** A condition on the traits of rooms. */
interface TraitFilter {
  /** Whether rooms with these traits can match. */
  readonly admits: (traits: Traits) => boolean;
  /** What decides where the traits do not tell, because users made the value up. */
  readonly filter?: Filter<Room>;
}

/** The most rooms that a filter names by their ids: the children of a space, or the rooms with an alias. */
const MAX_IDS = 10_000;

/**
 * Reads the filters of a request. Those on properties with few values become a list of the facets that exist, whose totals
 * are known; the others test fields that have an index.
 *
 * @throws refuse.invalidParam for limits that no number is between, and a space with too many children; refuse.unknown for a
 * space that is not a room id
 */
export async function selectRooms(deps: Deps, request: ListRoomsRequest): Promise<RoomSelection> {
  const onTraits = traitFilters(request);
  const others: readonly Filter<Room>[] = [
    ...membersRange(request),
    ...activityRange(request),
    ...(request.creator === undefined ? [] : [{ creator: request.creator }]),
    ...aliasPart(request),
  ];
  const named = await roomsOfAlias(deps, request);
  const children = await childrenOf(deps, request);
  const ids = children && named ? children.filter((id) => named.includes(id)) : (children ?? named);
  // The tally of a store with several writers can lag a second behind, which lists without these filters must not do.
  const isOld = onTraits.length + others.length === 0 && !ids;
  if (isOld && !deps.capabilities.soleWriter) return { ...ALL, filters: listing(request) };
  const traits = [...onTraits, ...listingTraits(request)];
  const filters = [...others, ...traits.flatMap(({ filter }) => filter ?? [])];
  if (traits.length === 0) return { ...ALL, ids, filters };
  const existing = await deps.rooms.tally();
  const facets = new Map(
    [...existing].filter(([facet]) => {
      const known = traitsOf(facet);
      return traits.every(({ admits }) => admits(known));
    }),
  );
  // What all rooms have in common need not be tested.
  if (facets.size === existing.size) return { ...ALL, ids, filters };
  return { facets, among: amongOf(facets, existing), share: sizeOf(facets) / sizeOf(existing), ids, filters };
}

/** The shorter test for rooms with some facets: their flags, if no other facets begin with these. */
function amongOf(
  facets: ReadonlyMap<string, number>,
  existing: ReadonlyMap<string, number>,
): RoomSelection['among'] {
  const flags = new Set([...facets.keys()].map(flagsOf));
  const isByFlags = [...existing.keys()].every((facet) => facets.has(facet) || !flags.has(flagsOf(facet)));
  return isByFlags ? { path: 'flags', values: [...flags] } : { path: 'facet', values: [...facets.keys()] };
}

/** The number of rooms that have one of some facets. */
export const sizeOf = (facets: ReadonlyMap<string, number>): number =>
  [...facets.values()].reduce((sum, count) => sum + count, 0);

/** The filters that lists have always had. Without others they are answered from indexes of their own. */
function listing({ publicRooms, emptyRooms }: ListRoomsRequest): readonly Filter<Room>[] {
  return [
    ...(publicRooms === undefined ? [] : [{ public: publicRooms }]),
    ...(emptyRooms === undefined ? [] : [{ joined_members: emptyRooms ? 0 : { $gt: 0 } }]),
  ];
}

/** The same as conditions on traits. */
function listingTraits({ publicRooms, emptyRooms }: ListRoomsRequest): readonly TraitFilter[] {
  return [...equal('public', publicRooms), ...equal('empty', emptyRooms)];
}

function traitFilters(request: ListRoomsRequest): readonly TraitFilter[] {
  const { encryption, version, joinRule } = request;
  return [
    ...equal('encrypted', request.encrypted),
    ...equal('tombstoned', request.tombstoned),
    ...equal('blocked', request.blocked),
    ...among('encryption', encryption, { encryption }),
    ...among('roomVersion', version, { room_version: version }),
    ...among('joinRule', joinRule, { join_rules: joinRule }),
  ];
}

/** Rooms of which a trait is as wanted. */
function equal(
  trait: 'public' | 'empty' | 'encrypted' | 'tombstoned' | 'blocked',
  wanted: boolean | undefined,
): readonly TraitFilter[] {
  return wanted === undefined ? [] : [{ admits: (traits) => traits[trait] === wanted }];
}

/** Rooms with a value. Where facets do not name it, it is one that users made up, and the field decides. */
function among(
  trait: 'encryption' | 'roomVersion' | 'joinRule',
  wanted: string | undefined,
  filter: { readonly [K in keyof Room]?: Room[K] | undefined },
): readonly TraitFilter[] {
  if (wanted === undefined) return [];
  if (isNamed(trait, wanted)) return [{ admits: (traits) => traits[trait] === wanted }];
  return [{ admits: (traits) => traits[trait] === undefined, filter: filter as Filter<Room> }];
}

/** @throws refuse.invalidParam when the least number is above the greatest */
function membersRange({ membersMin, membersMax }: ListRoomsRequest): readonly Filter<Room>[] {
  if (membersMin === undefined && membersMax === undefined) return [];
  if (membersMin !== undefined && membersMax !== undefined && membersMin > membersMax) {
    throw refuse.invalidParam("'members_max' must be at least 'members_min'");
  }
  const least = membersMin === undefined ? {} : { $gte: clampToSafe(membersMin) };
  const greatest = membersMax === undefined ? {} : { $lte: clampToSafe(membersMax) };
  return [{ joined_members: { ...least, ...greatest } }];
}

/** @throws refuse.invalidParam when no time is between both */
function activityRange(request: ListRoomsRequest): readonly Filter<Room>[] {
  const { lastActivityAfter: after, lastActivityBefore: before } = request;
  if (after === undefined && before === undefined) return [];
  if (after !== undefined && before !== undefined && after >= before) {
    throw refuse.invalidParam("'last_activity_before' must be later than 'last_activity_after'");
  }
  const earliest = after === undefined ? {} : { $gt: clampToSafe(after) };
  const latest = before === undefined ? {} : { $lt: clampToSafe(before) };
  return [{ last_activity_ts: { ...earliest, ...latest } }];
}

function aliasPart({ aliasContains }: ListRoomsRequest): readonly Filter<Room>[] {
  if (aliasContains === undefined) return [];
  return [{ $contains: { paths: ['folded_alias'], term: aliasContains.toLowerCase() } }];
}

async function roomsOfAlias(deps: Deps, { alias }: ListRoomsRequest): Promise<readonly string[] | undefined> {
  if (alias === undefined) return undefined;
  const roomId = await resolveAlias(deps, alias);
  if (roomId !== undefined) return [roomId];
  const named = await deps.rooms
    .find({ canonical_alias: alias }, { limit: MAX_IDS, projection: { _id: 1 } })
    .toArray();
  return named.map(({ _id }) => _id);
}

/** @throws refuse.unknown for a text that is not a room id, refuse.invalidParam for a space with too many children */
async function childrenOf(deps: Deps, { space }: ListRoomsRequest): Promise<readonly string[] | undefined> {
  if (space === undefined) return undefined;
  requireRoomId(space);
  const room = await loadRoom(deps, space);
  const children = room ? await childrenOfSpace(deps, room) : [];
  if (children.length > MAX_IDS) {
    throw refuse.invalidParam(`The space has more than ${MAX_IDS} children`);
  }
  return children.map(({ roomId }) => roomId);
}
