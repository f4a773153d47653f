import { outgoing, roomPurged } from '@steward/events';
import { type Collection, type Doc, type Filter, NOT_FLUSHED } from '@steward/store';
import { type RunningTask, TaskFailed } from '@steward/tasks';
import { rooms } from '../../core/aggregate/rooms.ts';
import type { DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { CURRENT } from '../../core/model/state-document.ts';
import { roomTopic } from '../../core/model/topics.ts';

/** Documents that are removed with one call. */
const BATCH = 250;

/** A document of a room. */
interface OfRoom extends Doc {
  readonly room_id: string;
}

/** A document of a room that holds its arrival number. */
type Arrived = OfRoom & { readonly arrival?: number; readonly from?: number };

/**
 * Removes a room with all its documents. The room document goes first, so that the room no longer exists for readers;
 * only the task finds the remaining documents.
 *
 * @throws TaskFailed when a user of this server is joined, unless `force` is set
 */
export async function purgeRoom(deps: Deps, task: RunningTask, { force }: DeletionParams): Promise<void> {
  if (!(await deleteDocument(deps, task, force))) throw new TaskFailed('Users are still joined to this room');
  // Memberships are removed first, because queries by user find them without their room.
  await removeAll(task, deps.members);
  await removeAll(task, deps.aliases);
  await removeArrived(task, deps.states, 'from');
  await removeAll(task, deps.states);
  await removeArrived(task, deps.events, 'arrival');
  await removeAll(task, deps.events);
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

/** Removes the arrived documents, a range of arrival numbers with each call, so that none of them is read. */
async function removeArrived(
  task: RunningTask,
  collection: Pick<Collection<Arrived>, 'findOne' | 'deleteMany'>,
  path: 'arrival' | 'from',
): Promise<void> {
  const at = (range: object): Filter<Arrived> => ({ room_id: task.key, [path]: range });
  for (;;) {
    const first = await collection.findOne(at({ $gte: 1, $lt: CURRENT }), {
      sort: { [path]: 1 },
      projection: { [path]: 1 },
    });
    const start = first?.[path];
    if (start === undefined) return;
    const { deletedCount } = await collection.deleteMany(
      at({ $gte: start, $lt: start + BATCH }),
      NOT_FLUSHED,
    );
    await task.save(path === 'arrival' ? { done: task.done + deletedCount } : {});
  }
}

/** Removes the remaining documents of a room in no particular order. */
async function removeAll<T extends OfRoom>(task: RunningTask, collection: Collection<T>): Promise<void> {
  const ofRoom: Filter<OfRoom> = { room_id: task.key };
  for (;;) {
    const found = await collection
      .find(ofRoom as Filter<T>, { projection: { _id: 1 } as { [K in keyof T & string]?: 1 }, limit: BATCH })
      .toArray();
    if (found.length > 0) {
      const chosen: Filter<OfRoom> = { ...ofRoom, _id: { $in: found.map(({ _id }) => _id) } };
      await collection.deleteMany(chosen as Filter<T>, NOT_FLUSHED);
      await task.save({});
    }
    if (found.length < BATCH) return;
  }
}
