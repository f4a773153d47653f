import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { readListToken, writeListToken } from '@steward/kernel';
import type {
  RoomEventsResultsSchema,
  RoomEventsSearch,
  SearchContext,
  SearchRequest,
  SearchResponseSchema,
  SearchResultContextSchema,
} from '@steward/proto/steward/room/v1/search_pb.ts';
import { type Requester, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { joinedRooms } from '../../core/membership/joined-rooms.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { readMember } from '../../core/model/read-member.ts';
import { searchedText, typeWithKey, wordsOf } from '../../core/model/search-words.ts';
import { type EventFilter, matchesRoom, NO_FILTER, readEventFilter } from '../../core/protocol/mod.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { membersOfSenders } from '../../core/reading/members-of-senders.ts';
import { stateAt } from '../../core/reading/state-at.ts';
import { fillIndex } from '../../core/search/fill-index.ts';
import { type FoundEntry, findEntries, type ResultPosition } from '../../core/search/find-entries.ts';
import { readAround } from '../../core/timeline/read-around.ts';
import { findReadAccess, type ReadAccess } from '../../core/visibility/read-access.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf, type VisibleEvent } from '../../core/visibility/visible-events.ts';

/** How many of the newest events with the words are looked at together, and ranked among each other. */
const WINDOW = 250;

/** How many windows a request looks at to find one with an event that the caller may see. */
const MAX_WINDOWS = 4;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
const DEFAULT_CONTEXT = 5;
const MAX_CONTEXT = 20;

/** The most different words of a search. */
const MAX_WORDS = 20;

/** Where a page begins: in the window of events after a position, behind the results of earlier pages. */
interface Start {
  readonly after?: ResultPosition;
  readonly skip: number;
}

/** An event that was found. */
interface Found {
  readonly event: VisibleEvent;
  readonly access: ReadAccess;
  /** How often the words occur in it. */
  readonly rank: number;
}

/** A search, as a request states it. */
interface Search {
  readonly caller: Requester;
  readonly words: readonly string[];
  readonly types: readonly string[] | undefined;
  readonly rooms: readonly string[];
  readonly filter: EventFilter;
  readonly isByRank: boolean;
}

/** Finds events by their words (client-plane.md 12), in the rooms that the caller has joined. */
export async function search(
  deps: Deps,
  { nextBatch, searchCategories }: SearchRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SearchResponseSchema>> {
  const request = searchCategories?.roomEvents;
  if (!request) return { searchCategories: {} };
  const caller = requester(context);
  const filter = request.filter === undefined ? NO_FILTER : readEventFilter(request.filter);
  const joined = await joinedRooms(deps, caller.userId);
  const rooms = joined.filter((roomId) => matchesRoom(filter, roomId));
  const wanted: Search = {
    caller,
    words: [...new Set(wordsOf(request.searchTerm))].slice(0, MAX_WORDS),
    types: typesOf(request),
    rooms,
    filter,
    isByRank: request.orderBy !== 'recent',
  };
  const start = startOf(nextBatch);
  const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  return deps.searchSlots.run(caller.userId, async () => {
    // Without any results, and to be continued, while the rooms have more than one search indexes.
    const page = (await fillIndex(deps, rooms))
      ? await readResults(deps, wanted, start, limit)
      : { results: [], count: 0, next: start };
    return { searchCategories: { roomEvents: await render(deps, request, wanted, page) } };
  });
}

/** @throws refuse.invalidParam for a key that is not searched */
function typesOf({ keys }: RoomEventsSearch): readonly string[] | undefined {
  if (keys.length === 0) return undefined;
  return keys.map((key) => {
    const type = typeWithKey(key);
    if (type === undefined) throw refuse.invalidParam("'keys' has a key that is not searched");
    return type;
  });
}

interface ResultPage {
  readonly results: readonly Found[];
  readonly count: number;
  readonly next: Start | undefined;
}

async function readResults(deps: Deps, wanted: Search, from: Start, limit: number): Promise<ResultPage> {
  let start = from;
  for (let windows = 1; ; windows++) {
    const candidates = await findEntries(deps, { ...wanted, after: start.after, limit: WINDOW });
    const found = await visibleOf(deps, wanted, candidates);
    const results = found.slice(start.skip, start.skip + limit);
    const next = nextOf(start, { candidates, found, limit, isByRank: wanted.isByRank });
    if (results.length > 0 || next === undefined || windows === MAX_WINDOWS || limit === 0)
      return { results, count: found.length, next: limit === 0 ? undefined : next };
    start = next;
  }
}

interface Window {
  readonly candidates: readonly FoundEntry[];
  readonly found: readonly Found[];
  readonly limit: number;
  readonly isByRank: boolean;
}

/** Where the next page begins. Messages that arrive between two pages move none of the results. */
function nextOf({ after, skip }: Start, { candidates, found, limit, isByRank }: Window): Start | undefined {
  const shown = skip + limit;
  if (shown < found.length) {
    if (isByRank) return { after: after ?? beforeFirst(candidates), skip: shown };
    const last = found[shown - 1];
    return { ...(last ? { after: positionOf(last.event.document) } : {}), skip: 0 };
  }
  const last = candidates.length < WINDOW ? undefined : candidates.at(-1);
  return last && { after: positionOf(last), skip: 0 };
}

function positionOf({ _id: id, received_ts: ts, arrival = 0 }: FoundEntry | EventDocument): ResultPosition {
  return { ts, arrival, id };
}

/** A position right before the first of some entries. */
function beforeFirst([first]: readonly FoundEntry[]): ResultPosition {
  const { received_ts: ts = 0, arrival = 0, _id: id = '' } = first ?? {};
  return { ts, arrival: arrival + 1, id };
}

/** Those of their events that the caller may see, in their order. */
async function visibleOf(
  deps: Deps,
  { caller, filter, words, isByRank }: Search,
  candidates: readonly FoundEntry[],
): Promise<readonly Found[]> {
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ _id }) => _id);
  const documents = await deps.events.find({ _id: { $in: ids }, redacted_by: null }).toArray();
  const found: Found[] = [];
  for (const [roomId, ofRoom] of Map.groupBy(documents, ({ room_id }) => room_id)) {
    const access = await findReadAccess(deps, roomId, caller.userId);
    if (!access) continue;
    const begin = access.room.horizon?.depth ?? 0;
    const reachable = ofRoom.filter(
      ({ arrival, depth }) => arrival !== undefined && arrival <= access.arrival && depth >= begin,
    );
    for (const event of await selectVisible(deps, access, caller, filter)(reachable))
      if (!event.isRedacted) found.push({ event, access, rank: rankOf(event, words) });
  }
  return found.sort(
    (a, b) => (isByRank ? b.rank - a.rank : 0) || newestFirst(a.event.document, b.event.document),
  );
}

function rankOf({ document }: VisibleEvent, words: readonly string[]): number {
  const looked = new Set(words);
  return wordsOf(searchedText(toRoomEvent(document).event) ?? '').filter((word) => looked.has(word)).length;
}

function newestFirst(a: EventDocument, b: EventDocument): number {
  const arrivals = (b.arrival ?? 0) - (a.arrival ?? 0);
  return b.received_ts - a.received_ts || arrivals || (a._id < b._id ? 1 : -1);
}

async function render(
  deps: Deps,
  request: RoomEventsSearch,
  { caller, words }: Search,
  { results, count, next }: ResultPage,
): Promise<MessageInitShape<typeof RoomEventsResultsSchema>> {
  const shown = results.map(async ({ event, access, rank }) => {
    const options = clientOptionsOf(deps, access, caller);
    const around = request.eventContext;
    return {
      rank,
      result: (await showEvents(deps, [event], options))[0] ?? '',
      ...(around ? { context: await contextOf(deps, caller, { event, access, rank }, around) } : {}),
    };
  });
  return {
    count: BigInt(count),
    highlights: [...words],
    results: await Promise.all(shown),
    ...(request.includeState ? { state: await stateOf(deps, caller, results) } : {}),
    ...(request.groupings ? { groups: groupsOf(request.groupings.groupBy, results) } : {}),
    ...(next ? { nextBatch: tokenOf(next) } : {}),
  };
}

async function contextOf(
  deps: Deps,
  caller: Requester,
  { event, access }: Found,
  { beforeLimit, afterLimit, includeProfile }: SearchContext,
): Promise<MessageInitShape<typeof SearchResultContextSchema>> {
  const size = (limit: bigint | undefined) => Math.min(Number(limit ?? DEFAULT_CONTEXT), MAX_CONTEXT);
  const around = {
    document: event.document,
    limits: { before: size(beforeLimit), after: size(afterLimit) },
    until: access.arrival,
    horizon: access.room.horizon,
  };
  const select = selectVisible(deps, access, caller, NO_FILTER);
  const { earlier, later, start, end } = await readAround(deps, around, select);
  const options = clientOptionsOf(deps, access, caller);
  const senders = [...earlier, event, ...later].map(({ document }) => document.sender);
  return {
    start,
    end,
    eventsBefore: await showEvents(deps, earlier, options),
    eventsAfter: await showEvents(deps, later, options),
    ...(includeProfile ? { profileInfo: await profilesOf(deps, event.document, senders) } : {}),
  };
}

async function profilesOf(
  deps: Deps,
  { room_id: roomId, arrival = 0 }: EventDocument,
  senders: readonly string[],
): Promise<string> {
  const members = await membersOfSenders(deps, { roomId, arrival }, senders);
  const profiles = members.map((member) => {
    const { displayname, avatar_url } = readMember(member);
    return [member.state_key ?? '', { displayname, avatar_url }] as const;
  });
  return JSON.stringify(Object.fromEntries(profiles));
}

async function stateOf(deps: Deps, caller: Requester, results: readonly Found[]): Promise<string> {
  const accesses = new Map(results.map(({ access }) => [access.roomId, access]));
  const rooms: string[] = [];
  for (const [roomId, access] of accesses) {
    const events: string[] = [];
    for await (const page of stateAt(deps, access))
      events.push(...(await toClientEvents(deps, page, clientOptionsOf(deps, access, caller))));
    rooms.push(`${JSON.stringify(roomId)}:[${events.join(',')}]`);
  }
  return `{${rooms.join(',')}}`;
}

/** The results by group; those of other keys than `room_id` and `sender` are left out. */
function groupsOf(groupings: readonly { readonly key?: string }[], results: readonly Found[]): string {
  const groups: Record<string, object> = {};
  for (const { key } of groupings) {
    if (key !== 'room_id' && key !== 'sender') continue;
    const byValue = Map.groupBy(results, ({ event }) => event.document[key]);
    groups[key] = Object.fromEntries(
      [...byValue].map(([value, some], order) => [
        value,
        { order, results: some.map(({ event }) => event.document._id) },
      ]),
    );
  }
  return JSON.stringify(groups);
}

function tokenOf({ after, skip }: Start): string {
  return writeListToken(after ? [skip, after.ts, after.arrival, after.id] : [skip]);
}

/** @throws refuse.invalidParam for a text that is no token of a search */
function startOf(token: string | undefined): Start {
  if (token === undefined) return { skip: 0 };
  const [skip, ts, arrival, id, ...more] = readListToken(token);
  if (isWhole(skip) && ts === undefined) return { skip };
  if (isWhole(skip) && isWhole(ts) && isWhole(arrival) && typeof id === 'string' && more.length === 0)
    return { after: { ts, arrival, id }, skip };
  throw refuse.invalidParam('This is not a token of a search');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
