import { accountTopic } from '@steward/events';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { memberId } from '../model/member.ts';
import { FULLY_READ, type Receipt, type ReceiptName, receiptId } from '../model/receipt.ts';
import { readTopic } from '../model/topics.ts';

/** How far a user has read. */
export interface Reading extends Omit<ReceiptName, 'user_id'> {
  readonly roomId: string;
  readonly userId: string;
  readonly eventId: string;
}

/**
 * Moves a receipt forward to an event; nothing happens where it is as far already, nor for a user who is not joined, nor for an
 * event that the room does not have. A repetition completes what a crash has interrupted.
 */
export async function markRead(deps: Deps, reading: Reading): Promise<void> {
  const { roomId, userId, eventId, type, thread_id } = reading;
  const [member, event, thread] = await Promise.all([
    deps.members.findOne({ _id: memberId(roomId, userId) }, { projection: { membership: 1 } }),
    deps.events.findOne({ _id: eventId, room_id: roomId }, { projection: { arrival: 1 } }),
    isRoot(thread_id)
      ? deps.events.findOne({ _id: thread_id, room_id: roomId }, { projection: { arrival: 1 } })
      : undefined,
  ]);
  if (member?.membership !== 'join' || event?.arrival === undefined) return;
  if (isRoot(thread_id) && thread?.arrival === undefined) return;
  const name = { user_id: userId, type, thread_id };
  const moved = await moveForward(deps, roomId, name, { eventId, arrival: event.arrival });
  if (!moved) return;
  if (type === FULLY_READ) return passOn(deps, roomId, userId, moved);
  const { _id: receipt, arrival } = moved;
  await new Promise<void>((resolve, reject) => {
    deps.receiptQueues.add(roomId, { receipt, arrival, resolve, reject });
  });
  if (type === 'm.read') deps.receiptNews.add(roomId);
  else deps.bus.notify(accountTopic(userId));
  deps.bus.notify(readTopic(userId));
}

/** Whether a thread is one that an event begins. */
function isRoot(threadId: string): boolean {
  return threadId !== '' && threadId !== 'main';
}

/** Writes a receipt; returns it unless it was as far and announced already. */
async function moveForward(
  deps: Pick<Deps, 'receipts' | 'clock'>,
  roomId: string,
  name: ReceiptName,
  { eventId, arrival }: { readonly eventId: string; readonly arrival: number },
): Promise<Receipt | undefined> {
  const _id = receiptId(roomId, name);
  const read = { event_id: eventId, arrival, ts: deps.clock.now() };
  for (;;) {
    const held = await deps.receipts.findOne({ _id });
    if (held && held.arrival >= arrival)
      return held.arrival === arrival && held.announced < arrival ? held : undefined;
    if (held) {
      const { matchedCount } = await deps.receipts.updateOne(
        { _id, arrival: { $lt: arrival } },
        { $set: read },
      );
      if (matchedCount > 0) return { ...held, ...read };
      continue;
    }
    const fresh = { _id, room_id: roomId, ...name, ...read, position: 0, announced: 0 };
    try {
      await deps.receipts.insertOne(fresh);
      return fresh;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** Sets the account data of the marker. Of concurrent requests the one that has read furthest counts. */
async function passOn(deps: Deps, roomId: string, userId: string, marker: Receipt): Promise<void> {
  for (let { _id, event_id, arrival } = marker; ; ) {
    await deps.accountFeeds.setFullyRead(userId, roomId, event_id);
    await deps.receipts.updateOne({ _id }, { $max: { announced: arrival } });
    const current = await deps.receipts.findOne({ _id });
    if (!current || current.arrival === arrival) return;
    ({ event_id, arrival } = current);
  }
}
