import { ownString } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import { type EventDocument, replacedIdOf } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { NO_MEMBERSHIP } from '../model/member.ts';
import { readMember } from '../model/read-member.ts';
import { eventIdOf, type StateDocument } from '../model/state-document.ts';
import {
  isMembership,
  type Membership,
  type StateKey,
  type Visibility,
  visibilityOfEvent,
} from '../protocol/mod.ts';
import { loadEvents } from '../reading/load-events.ts';
import type { ReadAccess } from './read-access.ts';

/** Changes of a state key that are read with one query. */
const PAGE = 100;

/** The part of `ReadAccess` on which the visibility of single events depends. */
export type Viewing = Pick<ReadAccess, 'member' | 'roomId' | 'arrival'> & {
  readonly room: Pick<ReadAccess['room'], 'forked_until'>;
};

/**
 * The visibility of events for a user who may read their room (client-plane.md 6.1), in the order of the events. It
 * depends on the state at each event's arrival; the number of queries does not depend on the number of events.
 */
export async function visibilityOf(
  deps: Pick<Deps, 'states' | 'events' | 'users'>,
  documents: readonly EventDocument[],
  viewing: Viewing,
  viewer: string,
): Promise<readonly Visibility[]> {
  const earlier = documents.filter((document) => !isSinceJoin(document, viewing));
  const judged = await visibilityByState(deps, earlier, viewing, viewer);
  const visibilities = new Map(earlier.map(({ _id }, index) => [_id, judged[index]]));
  return documents.map((document) => {
    if (isSinceJoin(document, viewing)) return isDiscarded(document) ? 'hidden' : 'whole';
    return visibilities.get(document._id) ?? 'hidden';
  });
}

/** The memberships of a viewer right after each of some events, in the order of the events; `leave` for none. */
export async function membershipsAt(
  deps: Pick<Deps, 'states' | 'events'>,
  documents: readonly EventDocument[],
  viewing: Viewing,
  viewer: string,
): Promise<readonly Membership[]> {
  const { member, roomId, room } = viewing;
  const now = isMembership(member?.membership) ? member.membership : undefined;
  const { forked_until = 0 } = room;
  // Without a membership now, there was none before.
  const since = Math.max(now === undefined ? 0 : (member?.arrival ?? 0), forked_until);
  const earlier = documents.flatMap(({ arrival = 0 }) => (arrival < since ? [arrival] : []));
  const membershipAt =
    earlier.length === 0 || (forked_until === 0 && (await isFirstMembership(deps, member)))
      ? () => undefined
      : await historyOf(
          knownTo(viewing).memberships,
          { first: Math.min(...earlier), last: Math.max(...earlier) },
          (range) => readHistory(deps, roomId, ['m.room.member', viewer], range, membershipIn),
        );
  return documents.map(({ arrival = 0 }) => (arrival < since ? membershipAt(arrival) : now) ?? 'leave');
}

/** Whether a user had no membership before the current one, as most members of a room: then one document says so. */
async function isFirstMembership(
  { events }: Pick<Deps, 'events'>,
  member: Viewing['member'],
): Promise<boolean> {
  const event = member && (await events.findOne({ _id: member.event_id }));
  return event?.previous_membership === NO_MEMBERSHIP;
}

/**
 * Whether an event arrived after the member event by which the viewer is joined: then the viewer sees it, whatever the
 * state of the room was.
 */
function isSinceJoin({ arrival = 0 }: EventDocument, { member, arrival: until, room }: Viewing): boolean {
  if (member?.membership !== 'join' || arrival < (room.forked_until ?? 0)) return false;
  return member.arrival < arrival && arrival <= until;
}

function isDiscarded({ soft_failed, rejected }: EventDocument): boolean {
  return soft_failed === true || rejected === true;
}

async function visibilityByState(
  deps: Pick<Deps, 'states' | 'events' | 'users'>,
  documents: readonly EventDocument[],
  viewing: Viewing,
  viewer: string,
): Promise<readonly Visibility[]> {
  if (documents.length === 0) return [];
  const known = knownTo(viewing);
  const arrivals = documents.map(({ arrival = 0 }) => arrival);
  const range = { first: Math.min(...arrivals) - 1, last: Math.max(...arrivals) };
  const history = <T>(kept: Kept<T>, type: string, stateKey: string, read: Read<T>) =>
    historyOf(kept, range, (needed) => readHistory(deps, viewing.roomId, [type, stateKey], needed, read));
  const [visibilityAt, lastJoin, replacedInBranch] = await Promise.all([
    history(known.visibilities, 'm.room.history_visibility', '', visibilityIn),
    lastJoinOf(deps, viewing, viewer),
    readReplacedInBranches(
      deps,
      documents.filter((document) => isVisibility(document) || isMemberOf(document, viewer)),
    ),
  ]);
  const judge = (membershipAt: ValueAt<Membership>) =>
    documents.map((document) => {
      const { arrival = 0, replaces_in_branch } = document;
      // In a forked history the event before may be of another branch: what an event does not change is as it is at the event.
      const around = <T>(valueAt: ValueAt<T>, isTheChange: boolean, read: Read<T>) => {
        const after = valueAt(arrival);
        if (!isTheChange) return { before: after, after };
        if (replaces_in_branch === undefined) return { before: valueAt(arrival - 1), after };
        const replaced = replacedInBranch.get(replaces_in_branch);
        return { before: replaced && read(replaced), after };
      };
      return visibilityOfEvent(document, {
        viewer,
        visibility: around(visibilityAt, isVisibility(document), visibilityIn),
        membership: around(membershipAt, isMemberOf(document, viewer), membershipIn),
        joinedLater: lastJoin > arrival,
        isSenderErased: true,
        isDiscarded: isDiscarded(document),
      });
    });
  // Erased accounts are queried only for the events whose visibility depends on it.
  const unlessErased = async (strictest: readonly Visibility[]) => {
    const dependent = documents.filter((_, index) => strictest[index] === 'redacted');
    const erased = await erasedAmong(
      deps,
      known.erased,
      dependent.map(({ sender }) => sender),
    );
    return strictest.map((visibility, index) =>
      visibility === 'redacted' && !erased.has(documents[index]?.sender ?? '') ? 'whole' : visibility,
    );
  };
  // Most rooms show their history to all members; then the membership at each event makes no difference.
  const withoutMembership = judge(() => undefined);
  if (withoutMembership.every((visibility) => visibility !== 'hidden')) {
    const visibilities = await unlessErased(withoutMembership);
    if (visibilities.every((visibility) => visibility === 'whole')) return visibilities;
  }
  return unlessErased(judge(await history(known.memberships, 'm.room.member', viewer, membershipIn)));
}

function isVisibility({ type, state_key }: EventDocument): boolean {
  return type === 'm.room.history_visibility' && state_key === '';
}

function isMemberOf({ type, state_key }: EventDocument, userId: string): boolean {
  return type === 'm.room.member' && state_key === userId;
}

/** What events have replaced in their branches, where that is not what precedes them, by id. */
async function readReplacedInBranches(
  deps: Pick<Deps, 'events'>,
  documents: readonly EventDocument[],
): Promise<ReadonlyMap<string, EventDocument>> {
  const branched = documents.filter(({ replaces_in_branch }) => replaces_in_branch !== undefined);
  const ids = new Set(branched.flatMap((document) => replacedIdOf(document) ?? []));
  return new Map((await loadEvents(deps, [...ids])).map((event) => [event._id, event]));
}

/** What was read of a room for one access to it. A request reads the visibility of events repeatedly. */
interface Known {
  readonly visibilities: Kept<string>;
  readonly memberships: Kept<Membership>;
  /** Whether the accounts of senders were erased, by user id. */
  readonly erased: Map<string, boolean>;
}

/** Arrivals whose state is needed. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** The history of a state key within a range. */
interface Kept<T> {
  read?: Range & { readonly valueAt: Promise<ValueAt<T>> };
}

/** The value of a state key after the event with an arrival. */
type ValueAt<T> = (arrival: number) => T | undefined;

type Read<T> = (document: EventDocument) => T | undefined;

const knownToViewing = new WeakMap<Viewing, Known>();

function knownTo(viewing: Viewing): Known {
  const known = knownToViewing.get(viewing) ?? { visibilities: {}, memberships: {}, erased: new Map() };
  knownToViewing.set(viewing, known);
  return known;
}

/** The history of a state key, which is read again only for a range that exceeds the one that was read. */
function historyOf<T>(
  kept: Kept<T>,
  range: Range,
  read: (range: Range) => Promise<ValueAt<T>>,
): Promise<ValueAt<T>> {
  if (kept.read && kept.read.first <= range.first && kept.read.last >= range.last) return kept.read.valueAt;
  const first = Math.min(range.first, kept.read?.first ?? range.first);
  const last = Math.max(range.last, kept.read?.last ?? range.last);
  const valueAt = read({ first, last });
  kept.read = { first, last, valueAt };
  return valueAt;
}

/** The users among these whose accounts were erased. */
async function erasedAmong(
  { users }: Pick<Deps, 'users'>,
  known: Map<string, boolean>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const unknown = [...new Set(userIds)].filter((userId) => !known.has(userId));
  if (unknown.length > 0) {
    const erased = await users.erased(unknown);
    for (const userId of unknown) known.set(userId, erased.has(userId));
  }
  return new Set(userIds.filter((userId) => known.get(userId)));
}

function visibilityIn(document: EventDocument): string | undefined {
  return ownString(toRoomEvent(document).event.content, 'history_visibility');
}

function membershipIn(document: EventDocument): Membership | undefined {
  const { membership } = readMember(document);
  return isMembership(membership) ? membership : undefined;
}

/** The value of a state key from an arrival up to another. */
interface Since<T> {
  readonly from: number;
  readonly until: number;
  readonly value: T;
}

/** Reads the values of a state key within a range. */
async function readHistory<T>(
  deps: Pick<Deps, 'states' | 'events'>,
  roomId: string,
  [type, stateKey]: StateKey,
  { first, last }: Range,
  read: Read<T>,
): Promise<ValueAt<T>> {
  const key = { room_id: roomId, type, state_key: stateKey };
  const [start] = await deps.states
    .find({ ...key, from: { $lte: first }, until: { $gt: first } }, { sort: { from: -1 }, limit: 1 })
    .toArray();
  const changes: Since<T | undefined>[] = [];
  let page: { readonly id: string; readonly from: number; readonly until: number }[] = [];
  const take = (interval: StateDocument) =>
    page.push({ id: eventIdOf(interval), from: interval.from, until: interval.until });
  if (start) take(start);
  const readOn = async () => {
    const events = new Map(
      (
        await loadEvents(
          deps,
          page.map(({ id }) => id),
        )
      ).map((event) => [event._id, event]),
    );
    for (const { id, from, until } of page) {
      const event = events.get(id);
      if (event) changes.push({ from, until, value: read(event) });
    }
    page = [];
  };
  // Most keys never change, or not within the range.
  if (!start || start.until <= last) {
    const later = deps.states.find({ ...key, from: { $gt: first, $lte: last } }, { sort: { from: 1 } });
    for await (const interval of later) {
      take(interval);
      if (page.length === PAGE) await readOn();
    }
  }
  await readOn();
  return (arrival) => {
    const last = changes.findLast(({ from }) => from <= arrival);
    return last && arrival < last.until ? last.value : undefined;
  };
}

/** The arrival of a user's last join; infinite for a current member, 0 for one who never joined. */
async function lastJoinOf(
  deps: Pick<Deps, 'states' | 'events'>,
  { member, roomId, arrival }: Viewing,
  userId: string,
): Promise<number> {
  if (!member) return 0;
  if (member.membership === 'join') return Number.POSITIVE_INFINITY;
  let page: string[] = [];
  const newestJoin = async () => {
    const joins = (await loadEvents(deps, page)).filter((event) => membershipIn(event) === 'join');
    page = [];
    return joins.length === 0 ? undefined : Math.max(...joins.map((event) => event.arrival ?? 0));
  };
  for await (const interval of deps.states.find(
    { room_id: roomId, type: 'm.room.member', state_key: userId, from: { $lte: arrival } },
    { sort: { from: -1 }, projection: { _id: 1 } },
  )) {
    page.push(eventIdOf(interval));
    if (page.length < PAGE) continue;
    const found = await newestJoin();
    if (found !== undefined) return found;
  }
  return (await newestJoin()) ?? 0;
}
