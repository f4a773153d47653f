import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { ListNotificationsRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { joinedRooms } from '../../core/membership/joined-rooms.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { MemberDocument } from '../../core/model/member.ts';
import type { Room } from '../../core/model/room.ts';
import type { PushEffect } from '../../core/protocol/mod.ts';
import { MAX_PAGE_OF_RELATED, pageSize } from '../../core/timeline/page-size.ts';
import { findJoined } from '../../core/unread/find-joined.ts';
import { Judge } from '../../core/unread/judge.ts';
import { readUpTo, threadOf } from '../../core/unread/unread.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf, visibleEvents } from '../../core/visibility/visible-events.ts';

/** The rooms that a request looks through, those with the latest activity. */
const MAX_ROOMS = 100;

/** The events of a room that a request looks through, the latest before the page. */
const MAX_EVENTS = 100;

const TOKEN = /^[0-9]{1,15}$/;

interface Found {
  readonly room: Room;
  readonly member: MemberDocument;
  readonly document: EventDocument;
  readonly effect: PushEffect;
}

/**
 * Lists the events of the rooms of the caller that notify them, the newest first (client-plane.md 12). A page may have fewer than
 * asked for, also none, and still be followed by another, because the events that a request looks through are limited.
 */
export async function listNotifications(
  deps: Deps,
  request: ListNotificationsRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const limit = Math.min(pageSize(request.limit), MAX_PAGE_OF_RELATED);
  const before = readToken(request.from);
  let found: readonly Found[] = [];
  // Older notifications of other rooms may be missing, because some room has events that were not looked through.
  let complete = 0;
  let isMore = false;
  for (const { _id: roomId, last_activity_ts } of await latestRooms(deps, caller.userId)) {
    const last = found[limit - 1];
    if (last && last_activity_ts < last.document.origin_server_ts) {
      // This room and those after it have older ones.
      isMore = true;
      break;
    }
    const joined = await findJoined(deps, roomId, caller.userId);
    if (!joined) continue;
    const { room, member } = joined;
    const events = await deps.events
      .find(
        { room_id: roomId, origin_server_ts: { $lt: before }, arrival: { $lte: room.arrival } },
        { sort: { origin_server_ts: -1 }, limit: MAX_EVENTS },
      )
      .toArray();
    if (events.length === MAX_EVENTS) complete = Math.max(complete, events.at(-1)?.origin_server_ts ?? 0);
    const judge = new Judge(deps, room);
    const ofRoom = [...(await judge.effectsOn(member, events))]
      .filter(([, { highlights }]) => request.only !== 'highlight' || highlights)
      .map(([document, effect]) => ({ room, member, document, effect }));
    const all = [...found, ...ofRoom].sort(newestFirst);
    found = firstOf(all, limit);
    isMore ||= found.length < all.length;
  }
  const page = found.filter(({ document }) => document.origin_server_ts >= complete);
  const last = page[limit - 1]?.document.origin_server_ts;
  const next = last !== undefined && (isMore || page.length < found.length) ? last : complete;
  const notifications = [];
  for (const each of page) notifications.push(...(await render(deps, each, context)));
  return { notifications, ...(next > 0 ? { nextToken: `${next}` } : {}) };
}

/** The first ones, with all of the same time as the last of them, because the next page begins before it. */
function firstOf(found: readonly Found[], limit: number): readonly Found[] {
  const last = found[limit - 1]?.document.origin_server_ts;
  return last === undefined ? found : found.filter(({ document }) => document.origin_server_ts >= last);
}

function newestFirst({ document: a }: Found, { document: b }: Found): number {
  return b.origin_server_ts - a.origin_server_ts || (b.arrival ?? 0) - (a.arrival ?? 0);
}

function readToken(from: string | undefined): number {
  if (from === undefined || from === '') return Number.MAX_SAFE_INTEGER;
  if (!TOKEN.test(from))
    throw refuse.invalidParam("'from' is not a token of this list: leave it out to begin");
  return Number(from);
}

/** The rooms of a user with the latest activity. */
async function latestRooms(
  deps: Deps,
  userId: string,
): Promise<readonly Pick<Room, '_id' | 'last_activity_ts'>[]> {
  const ids = await joinedRooms(deps, userId);
  const rooms = await deps.rooms
    .find({ _id: { $in: ids } }, { projection: { last_activity_ts: 1 } })
    .toArray();
  return rooms.sort((a, b) => b.last_activity_ts - a.last_activity_ts).slice(0, MAX_ROOMS);
}

/** A notification; none of an event that the caller may not see. */
async function render(deps: Deps, { room, member, document, effect }: Found, context: HandlerContext) {
  const caller = requester(context);
  await recordPrivateRead(context, room);
  const access = await readAccess(deps, room._id, caller.userId);
  const { start, threads } = await readUpTo(deps, room, member);
  const visible = await visibleEvents(deps, [document], access, caller.userId);
  const [event] = await showEvents(deps, visible, clientOptionsOf(deps, access, caller));
  if (event === undefined) return [];
  const read = (document.arrival ?? 0) <= Math.max(start, threads.get(threadOf(document)) ?? 0);
  const actions = JSON.stringify(effect.actions);
  return [{ actions, event, read, roomId: room._id, ts: BigInt(document.origin_server_ts) }];
}
