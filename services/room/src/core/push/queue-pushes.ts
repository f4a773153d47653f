import { type BulkOperation, NOT_FLUSHED } from '@steward/store';
import type { EventDocument } from '../model/event-document.ts';
import type { MemberDocument } from '../model/member.ts';
import { type PushQueue, pushQueueId } from '../model/push.ts';
import type { Room } from '../model/room.ts';
import { Judge } from '../unread/judge.ts';
import type { PushDeps } from './push-deps.ts';

/** A member of a room, with the ids of their pushers. */
export interface Listener {
  readonly member: MemberDocument;
  readonly pushers: readonly string[];
  /** Events that were received earlier are for none of them, in milliseconds since the Unix epoch. */
  readonly fromTs: number;
}

/** What was found among events of a room. */
export interface Queued {
  /** The pushers for which events of the room wait now. */
  readonly waiting: readonly string[];
  /** The arrivals of the events that notify a member, by user id, of the members for whom all of the events were looked at. */
  readonly notified: ReadonlyMap<string, readonly number[]>;
}

/**
 * Looks through events of a room, which are in the order of their arrival, for those that notify members, and stores that they
 * wait. It may run twice.
 */
export async function queuePushes(
  deps: PushDeps,
  room: Room,
  events: readonly EventDocument[],
  listeners: readonly Listener[],
): Promise<Queued> {
  const judge = new Judge(deps, room);
  const operations: BulkOperation<PushQueue>[] = [];
  const waiting: string[] = [];
  const notified = new Map<string, readonly number[]>();
  for (const { member, pushers, fromTs } of listeners) {
    if (pushers.length === 0) continue;
    const concerning = events.filter((event) => event.received_ts >= fromTs && isFor(member, event));
    const effects = await judge.effectsOn(member, concerning);
    const arrivals = [...effects.keys()].map(({ arrival = 0 }) => arrival);
    if (concerning.length === events.length) notified.set(member.user_id, arrivals);
    const [first, last] = [arrivals[0], arrivals.at(-1)];
    if (first === undefined || last === undefined) continue;
    waiting.push(...pushers);
    operations.push(...pushers.map((pusher) => waitingFor(pusher, member, first - 1, last)));
  }
  if (operations.length > 0) await deps.pushQueues.bulkWrite(operations, NOT_FLUSHED);
  return { waiting, notified };
}

/** The update by which the events of a room after one arrival, up to another, wait for a pusher. */
export function waitingFor(
  pusher: string,
  { user_id, room_id }: Pick<MemberDocument, 'user_id' | 'room_id'>,
  after: number,
  seen: number,
): BulkOperation<PushQueue> {
  return {
    updateOne: {
      filter: { _id: pushQueueId(pusher, room_id), user_id },
      update: { $setOnInsert: { room_id, pusher, after }, $max: { seen } },
      upsert: true,
    },
  };
}

/** Whether an event may concern a member; what they have read, and what was before their join, is left out when it is sent. */
function isFor({ membership, event_id }: MemberDocument, { _id }: EventDocument): boolean {
  return membership === 'join' || (membership === 'invite' && _id === event_id);
}
