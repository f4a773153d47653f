import { type Collection, forEachBatch, type Migration, type Store } from '@steward/store';
import { markRelated } from './core/aggregate/mark-related.ts';
import { type Block, blocks } from './core/model/block.ts';
import { type EventDocument, events } from './core/model/event-document.ts';
import { type Room, rooms } from './core/model/room.ts';
import { facetOf } from './core/model/room-facet.ts';

/** The number of documents that are read and written together. */
const BATCH = 200;

type OnDone = (done: number) => void;

/** The steps from the data of earlier releases to those of this one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'the properties by which lists filter rooms', run: addFacets },
  { number: 2, name: 'the newest replies of threads', run: addThreads },
];

/**
 * Adds what the documents of rooms and blocks lack. Messages are counted later, because that reads all events; so is the
 * exact time of the last activity, which until then is that of the newest extremity.
 */
async function addFacets(store: Store, onDone: OnDone = () => {}): Promise<void> {
  const stored = await store.collection<Block>(blocks);
  const older = { user_id: { $exists: true }, blocked_ts: { $exists: false } } as const;
  await stored.updateMany(older, { $set: { blocked_ts: 0 } });
  const roomsOf = await store.collection<Room>(rooms);
  let done = 0;
  await forEachBatch(roomsOf, {}, { size: BATCH }, async (page) => {
    const lacking = page.filter(({ facet }) => facet === undefined);
    const matched = lacking.length === 0 ? 0 : await addTo(roomsOf, stored, lacking);
    // The page is read again if a process of the earlier release changed one of its rooms in between.
    if (matched < lacking.length) return false;
    done += page.length;
    onDone(done);
    return true;
  });
}

/** Marks the events with which threads begin. An event of a later release has been marked when its replies came. */
async function addThreads(store: Store, onDone: OnDone = () => {}): Promise<void> {
  const eventsOf = await store.collection<EventDocument>(events);
  const replies = eventsOf.find(
    { relates_to: { $gte: '' }, rel_type: 'm.thread', arrival: { $gte: 1 } },
    { projection: { room_id: 1, relates_to: 1, rel_type: 1, arrival: 1 } },
  );
  let done = 0;
  let page: EventDocument[] = [];
  const mark = async () => {
    await markRelated({ events: eventsOf }, page);
    done += page.length;
    page = [];
    onDone(done);
  };
  for await (const reply of replies) {
    page.push(reply as EventDocument);
    if (page.length === BATCH) await mark();
  }
  if (page.length > 0) await mark();
}

/** Returns how many of the rooms were as they were read. */
async function addTo(
  roomsOf: Collection<Room>,
  stored: Collection<Block>,
  lacking: readonly Room[],
): Promise<number> {
  const blocked = new Set<string>();
  const ids = lacking.map(({ _id }) => _id);
  for await (const { _id, user_id } of stored.find({ _id: { $in: ids } }))
    if (user_id !== undefined) blocked.add(_id);
  const { matchedCount } = await roomsOf.bulkWrite(
    lacking.map((room) => {
      const isBlocked = blocked.has(room._id);
      const newest = Math.max(room.created_ts, ...room.extremities.map(({ received_ts }) => received_ts));
      return {
        updateOne: {
          filter: { _id: room._id, version: room.version },
          update: {
            $set: {
              last_activity_ts: newest,
              ...facetOf({ ...room, blocked: isBlocked }),
              ...(isBlocked ? { blocked: true } : {}),
            },
          },
        },
      };
    }),
  );
  return matchedCount;
}
