import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@steward/kernel';
import { changeAggregates } from '@steward/service';
import { defineTask, type RunningTask, TaskFailed, type TaskKind, type TaskStep } from '@steward/tasks';
import pLimit from 'p-limit';
import { newBlobKey } from '../../core/blobs/blob-key.ts';
import { measure } from '../../core/blobs/measure.ts';
import { BlobMissing, type BlobStore } from '../../core/blobs/mod.ts';
import type { Deps } from '../../core/deps.ts';
import { keepBlob } from '../../core/keep-blob.ts';
import type { Media } from '../../core/model/media.ts';
import { removeBlobs } from '../../core/remove-blobs.ts';
import { MOVE_MEDIA, type MoveParams } from './move-media.ts';

/** The media of one checkpoint. */
const BATCH = 16;

/** The media that are copied concurrently. */
const CONCURRENT = 4;

/** Shorter pauses are left out, because they would take longer than asked for. In milliseconds. */
const SHORTEST_PAUSE_MS = 20;

/** The ids of this many media that could not be moved are listed. */
const MAX_LISTED = 100;

/** The progress of a move. */
interface Progress {
  /** The id of the last medium of the batch before. */
  readonly after: string;
  /** The keys in the second store of the media of this batch, of which some may have been moved. */
  readonly moving: readonly string[];
}

/** The result of a move. */
export interface MoveResult {
  readonly moved: number;
  readonly bytes: number;
  /** The number of media whose bytes neither store has. */
  readonly missing: number;
  /** The number of media that stay where they are, because their bytes are not those of the upload. */
  readonly damaged: number;
  /** The first of these media. */
  readonly media: readonly string[];
}

const NOTHING: MoveResult = { moved: 0, bytes: 0, missing: 0, damaged: 0, media: [] };

type Outcome = { readonly bytes: number } | 'elsewhere' | 'missing' | 'damaged';

/** The fields of a medium that a move needs. */
type Movable = Pick<Media, '_id' | 'sha256'> & { readonly blob: string };

/**
 * Moves media from the second store to the first, while they are used. The bytes of each are stored under a new key, are
 * read back and compared, and then one commit names the new key in the document; after that the old key is removed. So
 * an upload, a deletion and a second move that are concurrent cannot lose or keep anything: only one commit wins, and
 * the bytes of the others are removed as those of an interrupted upload are. Thumbnails are created again when they are
 * requested.
 */
export function moveTask(deps: Deps, second: BlobStore): TaskKind {
  const moving: TaskStep<MoveParams, Progress> = {
    name: 'moving',
    run: (task) => run(deps, second, task),
    compensate: (task) => removeMoved(deps, task.cursor()?.moving ?? []),
  };
  return defineTask<MoveParams>(MOVE_MEDIA, {
    steps: [moving],
    renderResult: (result) => result ?? undefined,
  });
}

async function run(deps: Deps, second: BlobStore, task: RunningTask<MoveParams, Progress>): Promise<void> {
  const { route, bytesPerSecond } = task.params();
  if (route !== deps.settings.moveRoute) {
    throw new TaskFailed(`It was ordered for ${route}, but an instance moves ${deps.settings.moveRoute}`);
  }
  if (task.cursor() === undefined) {
    await task.save({ total: await deps.media.countDocuments({ state: 'stored' }) });
  }
  const pace = paceOf(deps.clock, bytesPerSecond, task.signal);
  let { after, moving }: Progress = task.cursor() ?? { after: '', moving: [] };
  // An attempt before this one may have ended between a commit and the removal of the old key.
  await removeMoved(deps, moving);
  for (;;) {
    const some = await deps.media
      .find(
        { _id: { $gt: after }, state: 'stored' },
        { sort: { _id: 1 }, limit: BATCH, projection: { blob: 1, sha256: 1 } },
      )
      .toArray();
    const last = some.at(-1);
    if (!last) return;
    const withBytes = some.filter((medium): medium is Movable & Media => medium.blob !== null);
    moving = withBytes.map(({ blob }) => blob);
    await task.save({ cursor: { after, moving } });
    const outcomes = await moveAll(deps, second, withBytes, pace);
    after = last._id;
    await task.save({
      cursor: { after, moving: [] },
      result: outcomes.reduce(withOutcome, task.result<MoveResult>() ?? NOTHING),
      done: task.done + some.length,
    });
  }
}

/** Moves media concurrently. After a failure it begins no more; it ends when none is in progress. */
async function moveAll(
  deps: Deps,
  second: BlobStore,
  media: readonly Movable[],
  pace: (bytes: number) => Promise<void>,
): Promise<readonly { readonly id: string; readonly outcome: Outcome }[]> {
  const limit = pLimit(CONCURRENT);
  const failures: unknown[] = [];
  const outcomes = media.map((medium) =>
    limit(async () => {
      if (failures.length > 0) return [];
      try {
        return [{ id: medium._id, outcome: await moveMedium(deps, second, medium, pace) }];
      } catch (error) {
        failures.push(error);
        return [];
      }
    }),
  );
  const moved = (await Promise.all(outcomes)).flat();
  if (failures.length > 0) throw failures[0];
  return moved;
}

function withOutcome(
  result: MoveResult,
  { id, outcome }: { readonly id: string; readonly outcome: Outcome },
): MoveResult {
  if (outcome === 'elsewhere') return result;
  if (typeof outcome === 'object') {
    return { ...result, moved: result.moved + 1, bytes: result.bytes + outcome.bytes };
  }
  const media = result.media.length < MAX_LISTED ? [...result.media, id] : result.media;
  return { ...result, [outcome]: result[outcome] + 1, media };
}

/** The bytes that were read are not those of the upload. */
class Damaged extends Error {}

async function moveMedium(
  deps: Deps,
  second: BlobStore,
  medium: Movable,
  pace: (bytes: number) => Promise<void>,
): Promise<Outcome> {
  const { blobs, random } = deps;
  const { blob, sha256 } = medium;
  if (!(await has(second, blob))) {
    return (await has(blobs, blob)) || !(await isCurrent(deps, medium)) ? 'elsewhere' : 'missing';
  }
  const key = newBlobKey(random);
  const copy = async () => {
    const stored = await blobs.put(key, paced(second.open(blob), pace), Number.MAX_SAFE_INTEGER);
    if (sha256 !== null && stored.sha256 !== sha256) throw new Damaged();
    if ((await storedDigest(blobs, key)) !== stored.sha256) {
      throw new Error(`The store of media has other bytes than were written: ${key}`);
    }
    return stored;
  };
  try {
    return await keepBlob(deps, key, copy, ({ length }) => rename(deps, medium, key, length));
  } catch (error) {
    const isGone = error instanceof BlobMissing || error instanceof Damaged;
    if (!isGone) throw error;
    // A deletion removes bytes while they are read.
    if (!(await isCurrent(deps, medium))) return 'elsewhere';
    return error instanceof Damaged ? 'damaged' : 'missing';
  }
}

/** Names the new key in the document, and removes the old one; removes the new one when the medium is being deleted. */
async function rename(deps: Deps, { _id, blob }: Movable, key: string, bytes: number): Promise<Outcome> {
  const change = { set: { blob: key, thumbnails: [] } };
  if ((await changeAggregates(deps.media, { _id, blob, state: 'stored' }, change)) === 0) {
    await deps.blobs.delete(key);
    // An attempt that lost its lease has moved it, and may have ended before it removed the old key.
    await removeMoved(deps, [blob]);
    return 'elsewhere';
  }
  await removeBlobs(deps, { blob });
  return { bytes };
}

/** Removes the bytes under keys that no document names any more. */
async function removeMoved(deps: Deps, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const named = await deps.media.find({ blob: { $in: keys } }, { projection: { blob: 1 } }).toArray();
  const still = new Set(named.map(({ blob }) => blob));
  for (const blob of keys) if (!still.has(blob)) await removeBlobs(deps, { blob });
}

/** Whether a medium is stored under the key that was read. */
async function isCurrent({ media }: Deps, { _id, blob }: Movable): Promise<boolean> {
  return (await media.findOne({ _id, blob, state: 'stored' }, { projection: { _id: 1 } })) !== null;
}

async function has(blobs: BlobStore, key: string): Promise<boolean> {
  try {
    for await (const _ of blobs.open(key, { start: 0, length: 1 })) break;
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

/** The digest of the bytes under a key; `undefined` if there are none. */
async function storedDigest(blobs: BlobStore, key: string): Promise<string | undefined> {
  const { bytes, result } = measure(blobs.open(key), Number.MAX_SAFE_INTEGER);
  try {
    for await (const _ of bytes);
  } catch (error) {
    // Other than at the old key, that says nothing about the medium.
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
  return result().sha256;
}

async function* paced(
  source: AsyncIterable<Uint8Array>,
  pace: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    await pace(piece.byteLength);
    yield piece;
  }
}

/** Waits so that no more bytes pass than a rate allows. */
function paceOf(clock: Clock, bytesPerSecond: number, signal: AbortSignal): (bytes: number) => Promise<void> {
  let due = clock.now();
  return async (bytes) => {
    signal.throwIfAborted();
    const now = clock.now();
    due = Math.max(due, now) + (bytes / bytesPerSecond) * 1_000;
    if (due - now >= SHORTEST_PAUSE_MS) await setTimeout(due - now, undefined, { signal });
  };
}
