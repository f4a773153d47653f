import { setTimeout } from 'node:timers/promises';
import type { StreamCopy } from '@steward/events';
import { type Random, randomId } from '@steward/kernel';
import { RESTORE_MARKER } from '@steward/runtime';
import { type MongoStore, storedCollections } from '@steward/store';

/** How often a running attempt changes its marker, and how long an unchanged one is watched before it is taken over, in milliseconds. */
const BEAT_MS = 1_000;
const WATCH_MS = 15_000;

/** The id of the only document of the marker. */
const UNFINISHED = 'unfinished';

/** The marker of an attempt. */
interface Marker {
  readonly _id: string;
  /** The attempt that fills the database. */
  readonly owner: string;
  /** Raised while that attempt runs. */
  readonly beat: number;
}

/**
 * Fills an empty database, and the streams of its server, with what another one has. A marker in the database keeps
 * processes from starting on it until it is complete; what an interrupted attempt left behind its marker is removed. Of
 * attempts that run concurrently, on any machines, at most one completes: the marker of one that runs keeps changing.
 *
 * @param fill writes through `store`, which the caller closes when this rejects, so that nothing more is written
 * @throws Error with a message of one line when the database or the streams are not empty, or another attempt is running
 */
export async function fillDatabase(
  {
    store: { database },
    streams,
    random,
    beatMs = BEAT_MS,
    watchMs = WATCH_MS,
  }: {
    readonly store: MongoStore;
    readonly streams: StreamCopy;
    readonly random: Random;
    readonly beatMs?: number;
    readonly watchMs?: number;
  },
  fill: () => Promise<void>,
): Promise<void> {
  const marker = database.collection<Marker>(RESTORE_MARKER);
  const owner = randomId(random);
  const running = () => new Error(`Another restore or move into ${database.databaseName} is running.`);
  const others = async () =>
    (await storedCollections(database)).filter((collection) => collection !== RESTORE_MARKER);
  const found = await marker.findOne({ _id: UNFINISHED });
  if (found) {
    await setTimeout(watchMs);
    const unchanged = { _id: UNFINISHED, owner: found.owner, beat: found.beat };
    const { matchedCount } = await marker.updateOne(unchanged, { $set: { owner, beat: 0 } });
    if (matchedCount === 0) throw running();
  } else {
    const refuseDocuments = async () => {
      if ((await others()).length > 0) throw new Error(`The database ${database.databaseName} is not empty.`);
    };
    await refuseDocuments();
    if (!(await streams.isEmpty())) {
      throw new Error(
        'The broker has facts of another server: set another bus.namespace, or remove its streams.',
      );
    }
    // Of two attempts one inserts it.
    await marker.insertOne({ _id: UNFINISHED, owner, beat: 0 });
    // A process that did not see the marker when it started has written its server name by now, or sees it then.
    await refuseDocuments().catch(async (error) => {
      await marker.drop();
      throw error;
    });
  }
  const stopped = new AbortController();
  const beating = beat(async () => {
    const renewed = marker.updateOne({ _id: UNFINISHED, owner }, { $inc: { beat: 1 } });
    // If the database is away, the next one renews it, or finds that another attempt has taken over.
    const result = await renewed.catch(() => undefined);
    if (result?.matchedCount === 0) throw running();
  });
  try {
    const filled = async () => {
      if (found) {
        for (const name of await others()) await database.dropCollection(name);
        await streams.remove();
      }
      await fill();
    };
    await Promise.race([filled(), beating]);
  } finally {
    stopped.abort();
    // A renewal under way ends first, so that nothing of this attempt changes the marker afterwards.
    await beating.catch(() => undefined);
  }
  const { deletedCount } = await marker.deleteOne({ _id: UNFINISHED, owner });
  if (deletedCount === 0) throw running();
  await marker.drop();

  /** Calls `renew` until `stopped`, and rejects when it does. */
  async function beat(renew: () => Promise<void>): Promise<void> {
    for (;;) {
      await setTimeout(beatMs, undefined, { signal: stopped.signal });
      await renew();
    }
  }
}
