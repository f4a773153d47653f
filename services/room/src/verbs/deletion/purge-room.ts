import { outgoing, roomPurged } from '@steward/events';
import { isObject } from '@steward/kernel';
import { type Collection, type Doc, type Filter, NOT_FLUSHED, removeInBatches } from '@steward/store';
import { type RunningTask, TaskFailed } from '@steward/tasks';
import { announceRemovedMedia } from '../../core/aggregate/media-facts.ts';
import { rooms } from '../../core/aggregate/rooms.ts';
import type { DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { mediaOf } from '../../core/model/media-fields.ts';
import { CURRENT } from '../../core/model/state-document.ts';
import { roomTopic } from '../../core/model/topics.ts';
import { receiptAggregate } from '../../core/receipts/receipt-stream.ts';

/** Documents that are removed with one call. */
const BATCH = 250;

/** A document of a room. */
interface OfRoom extends Doc {
  readonly room_id: string;
}

/** A document of a room that holds the arrival number from which on it holds. */
type Arrived = OfRoom & { readonly from: number };

/** The media that a range of events shows, saved before the events are removed. */
export interface RemovedMedia {
  /** The first arrival number of the range. */
  readonly from: number;
  readonly media: readonly string[];
}

/** Reads the cursor of this step; an earlier release kept in it the one of the steps before. */
export function removedMediaOf(stored: unknown): RemovedMedia | undefined {
  return isObject(stored) && 'media' in stored ? (stored as unknown as RemovedMedia) : undefined;
}

type PurgingTask = RunningTask<DeletionParams, RemovedMedia>;

/**
 * Removes a room with all its documents. The room document goes first, so that the room no longer exists for readers;
 * only the task finds the remaining documents.
 *
 * @throws TaskFailed when a user of this server is joined, unless `force` is set
 */
export async function purgeRoom(deps: Deps, task: PurgingTask): Promise<void> {
  if (!(await deleteDocument(deps, task, task.params().force)))
    throw new TaskFailed('Users are still joined to this room');
  await deps.purgedRooms.updateOne(
    { _id: task.key },
    { $setOnInsert: { purged_ts: deps.clock.now() } },
    { upsert: true },
  );
  // Memberships are removed first, because queries by user find them without their room.
  await removeAll(task, deps.members);
  await removeAll(task, deps.aliases);
  await removeAll(task, deps.receipts);
  await removeAll(task, deps.pushQueues);
  await deps.pushPositions.deleteOne({ _id: task.key });
  await receiptAggregate.delete(deps, task.key);
  await removeArrived(task, deps.states);
  await removeAll(task, deps.states);
  await removeEvents(deps, task);
  await removeAll(task, deps.events);
  // A search that ran beside stores none once the events are gone.
  await removeAll(task, deps.searchEntries);
  await deps.searchPositions.deleteOne({ _id: task.key });
  const now = deps.clock.now();
  await deps.outbox.add([
    outgoing(
      roomPurged,
      { roomId: task.key },
      {
        id: `${task.id}-purged`,
        timeMs: now,
        aggregate: task.key,
        // Greater than every arrival number in the room: no room has an event each millisecond.
        sequence: now,
        traceparent: '',
        requester: task.requestedBy,
      },
    ),
  ]);
  deps.relay.notify();
}

/** Deletes the room document, unless a user of this server is joined; returns whether it is gone. */
async function deleteDocument(deps: Deps, task: RunningTask, force: boolean): Promise<boolean> {
  const outcome = await rooms.delete(deps, task.key, async (room) => {
    if (!force && room.joined_local_members > 0) return false;
    await task.save({ done: 0, total: room.events });
    return true;
  });
  if (outcome === 'kept') return false;
  deps.memory.forget(task.key);
  deps.deviceCounts.delete(task.key);
  deps.bus.notify(roomTopic(task.key));
  return true;
}

/** Removes the state intervals that have begun, a range of arrival numbers with each call, so that none of them is read. */
async function removeArrived(
  task: RunningTask,
  collection: Pick<Collection<Arrived>, 'findOne' | 'deleteMany'>,
): Promise<void> {
  const at = (range: object): Filter<Arrived> => ({ room_id: task.key, from: range });
  for (;;) {
    const first = await collection.findOne(at({ $gte: 1, $lt: CURRENT }), {
      sort: { from: 1 },
      projection: { from: 1 },
    });
    if (first === null) return;
    await collection.deleteMany(at({ $gte: first.from, $lt: first.from + BATCH }), NOT_FLUSHED);
    await task.save({});
  }
}

/** Removes the arrived events, a range of arrival numbers with each call, and announces the media that they showed. */
async function removeEvents(deps: Deps, task: PurgingTask): Promise<void> {
  const saved = task.cursor();
  // The events of the range may be gone.
  if (saved) await announceRemovedMedia(deps, task, `${saved.from}`, saved.media);
  for (;;) {
    const first = await deps.events.findOne(
      { room_id: task.key, arrival: { $gte: 1 } },
      { sort: { arrival: 1 }, projection: { arrival: 1 } },
    );
    const from = first?.arrival;
    if (from === undefined) return;
    const range = { room_id: task.key, arrival: { $gte: from, $lt: from + BATCH } };
    const shown = await deps.events
      .find(range, { projection: { media: 1, avatar: 1, other_media: 1 } })
      .toArray();
    const media = [...new Set(shown.flatMap(mediaOf))];
    await task.save({ cursor: { from, media } });
    const { deletedCount } = await deps.events.deleteMany(range, NOT_FLUSHED);
    await announceRemovedMedia(deps, task, `${from}`, media);
    await task.save({ done: task.done + deletedCount });
  }
}

/** Removes the remaining documents of a room in no particular order. */
async function removeAll<T extends OfRoom>(task: RunningTask, collection: Collection<T>): Promise<void> {
  const ofRoom: Filter<OfRoom> = { room_id: task.key };
  await removeInBatches(collection, ofRoom as Filter<T>, {
    size: BATCH,
    options: NOT_FLUSHED,
    after: () => task.save({}),
  });
}
