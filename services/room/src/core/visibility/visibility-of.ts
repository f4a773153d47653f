import { ownString } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { readMember } from '../model/read-member.ts';
import { isMembership, type Membership, type Visibility, visibilityOfEvent } from '../protocol/mod.ts';
import { loadEvents } from '../reading/load-events.ts';
import type { ReadAccess } from './read-access.ts';

/** Changes of a state key that are read with one query. */
const PAGE = 100;

/** The part of `ReadAccess` on which the visibility of single events depends. */
export type Viewing = Pick<ReadAccess, 'member' | 'roomId' | 'arrival'>;

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

/**
 * Whether an event arrived after the member event by which the viewer is joined: then the viewer sees it, whatever the
 * state of the room was.
 */
function isSinceJoin({ arrival = 0 }: EventDocument, { member, arrival: until }: Viewing): boolean {
  return member?.membership === 'join' && member.arrival < arrival && arrival <= until;
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
  const [visibilityAt, membershipAt, lastJoin] = await Promise.all([
    historyOf(deps, viewing, documents, 'm.room.history_visibility', '', visibilityIn),
    historyOf(deps, viewing, documents, 'm.room.member', viewer, membershipIn),
    lastJoinOf(deps, viewing, viewer),
  ]);
  const visibilityOfDocument = (document: EventDocument, isSenderErased: boolean) => {
    const { arrival = 0 } = document;
    return visibilityOfEvent(toRoomEvent(document), {
      viewer,
      visibility: { before: visibilityAt(arrival - 1), after: visibilityAt(arrival) },
      membership: { before: membershipAt(arrival - 1), after: membershipAt(arrival) },
      joinedLater: lastJoin > arrival,
      isSenderErased,
      isDiscarded: isDiscarded(document),
    });
  };
  const strictest = documents.map((document) => visibilityOfDocument(document, true));
  // Erased accounts are queried only for the events whose visibility depends on it.
  const dependent = documents
    .filter((_, index) => strictest[index] === 'redacted')
    .map(({ sender }) => sender);
  if (dependent.length === 0) return strictest;
  const erased = await deps.users.erased([...new Set(dependent)]);
  return documents.map((document, index) =>
    strictest[index] === 'redacted' && !erased.has(document.sender)
      ? 'whole'
      : (strictest[index] ?? 'hidden'),
  );
}

function visibilityIn(document: EventDocument): string | undefined {
  return ownString(toRoomEvent(document).event.content, 'history_visibility');
}

function membershipIn(document: EventDocument): Membership | undefined {
  const { membership } = readMember(document);
  return isMembership(membership) ? membership : undefined;
}

/** The value of a state key since an arrival. */
interface Since<T> {
  readonly from: number;
  readonly value: T;
}

/** The values of a state key at the arrivals of events and right before, as a function of the arrival. */
async function historyOf<T>(
  deps: Pick<Deps, 'states' | 'events'>,
  { roomId }: Viewing,
  documents: readonly EventDocument[],
  type: string,
  stateKey: string,
  read: (document: EventDocument) => T,
): Promise<(arrival: number) => T | undefined> {
  const arrivals = documents.map(({ arrival = 0 }) => arrival);
  const first = Math.min(...arrivals) - 1;
  const key = { room_id: roomId, type, state_key: stateKey };
  const start = deps.states.find(
    { ...key, from: { $lte: first }, until: { $gt: first } },
    { sort: { from: -1 }, limit: 1 },
  );
  const later = deps.states.find(
    { ...key, from: { $gt: first, $lte: Math.max(...arrivals) } },
    { sort: { from: 1 } },
  );
  const changes: Since<T>[] = [];
  let page: { readonly _id: string; readonly from: number }[] = [];
  const readOn = async () => {
    const events = new Map(
      (
        await loadEvents(
          deps,
          page.map(({ _id }) => _id),
        )
      ).map((event) => [event._id, event]),
    );
    for (const { _id, from } of page) {
      const event = events.get(_id);
      if (event) changes.push({ from, value: read(event) });
    }
    page = [];
  };
  for (const intervals of [start, later]) {
    for await (const interval of intervals) {
      page.push(interval);
      if (page.length === PAGE) await readOn();
    }
  }
  await readOn();
  return (arrival) => changes.findLast(({ from }) => from <= arrival)?.value;
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
    return joins[0]?.arrival;
  };
  for await (const { _id } of deps.states.find(
    { room_id: roomId, type: 'm.room.member', state_key: userId, from: { $lte: arrival } },
    { sort: { from: -1 }, projection: { _id: 1 } },
  )) {
    page.push(_id);
    if (page.length < PAGE) continue;
    const found = await newestJoin();
    if (found !== undefined) return found;
  }
  return (await newestJoin()) ?? 0;
}
