import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { MemberDocument } from '../model/member.ts';
import { FULLY_READ } from '../model/receipt.ts';
import type { Room } from '../model/room.ts';
import { eventIdOf } from '../model/state-document.ts';
import type { Notifying, ReadUpTo, UnreadCounts } from '../model/unread-memory.ts';
import { eventPages } from '../reading/event-pages.ts';
import { Judge } from './judge.ts';

/** The most unread events of a room that are counted: the latest. */
const MAX_EVENTS = 1_000;

/** The most changes of a membership among which the join is looked for, the latest. */
const MAX_CHANGES = 500;

/** Events that are read with one query. */
const PAGE = 250;

/** The thread of the events that are in none. */
export const MAIN = 'main';

/**
 * Counts the events of a room that notify a member and that they have not read, by thread. Push rules are evaluated for
 * those who sync, and once for each event: members who do not listen cost nothing. A process that has not counted before, and
 * one whose user has changed the rules, begins after the receipt.
 *
 * @param receipts the position of the last receipt of the room
 */
export async function countUnread(
  deps: Deps,
  room: Room,
  member: MemberDocument,
  receipts: number,
): Promise<ReadonlyMap<string, UnreadCounts>> {
  const { user_id: userId, stay } = member;
  const [rules, ignored] = await Promise.all([deps.pushRules.of(userId), deps.ignoredUsers.of(userId)]);
  const known = deps.unread.of(userId, room._id);
  const isRead = known?.stay === stay && known.receipts === receipts;
  const read = isRead ? known.read : await readUpTo(deps, room, member);
  const isJudged = known?.rules === rules && known.ignored === ignored && known.until <= room.arrival;
  const earlier = isJudged && known.read.start <= read.start ? known : undefined;
  const after = Math.max(read.start, earlier?.until ?? 0, room.arrival - MAX_EVENTS);
  const { found, redacted } = await notifyingEvents(deps, room, member, after);
  // Two counts can run at once: the one that ends second begins anew, because the first has added to the same events.
  if (earlier && deps.unread.of(userId, room._id) !== earlier)
    return countUnread(deps, room, member, receipts);
  const unread =
    earlier?.read === read && redacted.size === 0
      ? continued(earlier, found)
      : recounted(earlier?.events ?? [], found, read, redacted);
  deps.unread.set(userId, room._id, { rules, ignored, read, stay, receipts, until: room.arrival, ...unread });
  return unread.counts;
}

interface Unread {
  readonly events: Notifying[];
  readonly counts: ReadonlyMap<string, UnreadCounts>;
}

/** Adds later events in place, so that the cost does not grow with what a user has not read. */
function continued(
  { events, counts, read }: Unread & { readonly read: ReadUpTo },
  found: readonly Notifying[],
): Unread {
  if (found.length === 0) return { events, counts };
  const later = new Map(counts);
  for (const event of found) add(later, read, event, 1);
  events.push(...found);
  for (const event of events.splice(0, events.length - MAX_EVENTS)) add(later, read, event, -1);
  return { events, counts: later };
}

function recounted(
  earlier: readonly Notifying[],
  found: readonly Notifying[],
  read: ReadUpTo,
  redacted: ReadonlySet<string>,
): Unread {
  const isLeft = ({ id, arrival }: Notifying) => arrival > read.start && !redacted.has(id);
  const events = [...earlier.filter(isLeft), ...found].slice(-MAX_EVENTS);
  const counts = new Map<string, UnreadCounts>();
  for (const event of events) add(counts, read, event, 1);
  return { events, counts };
}

/** Adds an event to the counts of its thread, or takes it out of them. */
function add(counts: Map<string, UnreadCounts>, { threads }: ReadUpTo, event: Notifying, by: 1 | -1): void {
  const { arrival, thread, highlights } = event;
  if (arrival <= (threads.get(thread) ?? 0)) return;
  const before = counts.get(thread) ?? { notifications: 0, highlights: 0 };
  const after = {
    notifications: before.notifications + by,
    highlights: before.highlights + by * Number(highlights),
  };
  if (after.notifications === 0) counts.delete(thread);
  else counts.set(thread, after);
}

/** The arrival up to which a member has read a room, which they have joined then or before; and their threads. */
export async function readUpTo(
  deps: Pick<Deps, 'receipts' | 'states' | 'events'>,
  { _id: roomId }: Room,
  member: MemberDocument,
): Promise<ReadUpTo> {
  const threads = new Map<string, number>();
  let start = 0;
  const receipts = deps.receipts.find(
    { user_id: member.user_id, room_id: roomId },
    { projection: { type: 1, thread_id: 1, arrival: 1 } },
  );
  for await (const { type, thread_id, arrival } of receipts) {
    if (type === FULLY_READ) continue;
    if (thread_id === '') start = Math.max(start, arrival);
    else threads.set(thread_id, Math.max(threads.get(thread_id) ?? 0, arrival));
  }
  return { start: Math.max(start, await joinedAt(deps, member, start)), threads };
}

/** The arrival of the event by which a member has joined, if it is after another. */
async function joinedAt(
  deps: Pick<Deps, 'states' | 'events'>,
  { room_id, user_id, arrival, stay }: MemberDocument,
  after: number,
): Promise<number> {
  if (arrival <= after) return 0;
  const changes = await deps.states
    .find(
      { room_id, type: 'm.room.member', state_key: user_id, from: { $gt: after, $lte: arrival } },
      { projection: { _id: 1 }, sort: { from: -1 }, limit: MAX_CHANGES },
    )
    .toArray();
  const ids = changes.map(eventIdOf);
  const joined = await deps.events.findOne({ _id: { $in: ids }, stay }, { projection: { arrival: 1 } });
  return joined?.arrival ?? 0;
}

/** What has happened in a room after an arrival: the events that notify a member, and the ids of those that were redacted. */
async function notifyingEvents(
  deps: Deps,
  room: Room,
  member: MemberDocument,
  after: number,
): Promise<{ readonly found: readonly Notifying[]; readonly redacted: ReadonlySet<string> }> {
  const judge = new Judge(deps, room);
  const found: Notifying[] = [];
  const redacted = new Set<string>();
  const range = { after, until: room.arrival, size: PAGE };
  for await (const { events } of eventPages(deps, room._id, range)) {
    for (const { redacts } of events) if (redacts !== undefined) redacted.add(redacts);
    for (const [document, { highlights }] of await judge.effectsOn(member, events)) {
      const { _id: id, arrival = 0 } = document;
      found.push(deps.unread.shared({ id, arrival, thread: threadOf(document), highlights }));
    }
  }
  return { found, redacted };
}

/** The thread of an event: the id of the event that begins it, or `MAIN`. */
export function threadOf({ rel_type, relates_to }: EventDocument): string {
  return rel_type === 'm.thread' && relates_to !== undefined ? relates_to : MAIN;
}
