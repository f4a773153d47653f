import { parseContentUri } from '@steward/kernel';
import { changeAggregates } from '@steward/service';
import type { Filter } from '@steward/store';
import type { RunningTask, TaskKind } from '@steward/tasks';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';
import { appendChanges } from '../../core/quarantine-changes.ts';
import {
  type Hashed,
  hashesOf,
  QUARANTINED,
  READABLE,
  UNPROTECTED,
  UPLOAD_ORDER,
  unchangedOf,
  withSameContent,
} from '../../core/same-content.ts';
import {
  QUARANTINE_HASH,
  QUARANTINE_ROOM_MEDIA,
  QUARANTINE_USER_MEDIA,
  UNQUARANTINE_HASH,
} from './bulk-quarantine.ts';

/** The number of media in one part, which the task saves before it changes them, and lists as changes afterwards. */
const PART = 240;

/** The position of a medium in the order of upload: `created_ts` and `_id`. */
type Position = readonly [createdTs: number, id: string];

/** Before the first medium. */
const START: Position = [-1, ''];

/** A part of the media of a task. */
interface Part<Place> {
  /** The media that the task has not changed yet. */
  readonly keys: readonly string[];
  /**
   * The hashes whose media the task is changing: the next parts consist of the others, until there are none. Absent if an
   * earlier version saved the part.
   */
  readonly hashes?: readonly string[];
  /** The position among the media of the only hash; absent when they are not read in order. */
  readonly after?: Position;
  /** Where the task continues after the media with these hashes; null for the beginning. Changed media may occur again. */
  readonly place: Place | null;
}

/** A part, and how many of its media no earlier part contained. */
interface Step<Place> {
  readonly part: Part<Place>;
  readonly added: number;
}

/** What a task does to media. */
interface Change {
  /** The new `quarantined_by`. */
  readonly by: string | null;
  /** Which media it selects. */
  readonly which: Filter<Media>;
}

/** Quarantines a user's media and all of the same content, except quarantined ones (behaviour.md 5, 14.2). */
export function userQuarantineTask(deps: Deps): TaskKind {
  return taskKind(
    deps,
    QUARANTINE_USER_MEDIA,
    ({ requestedBy: by }) => ({ by, which: READABLE }),
    partsOfUser,
  );
}

/** Quarantines the media in a room's events and all of the same content, each once (behaviour.md 5, 14.2). */
export function roomQuarantineTask(deps: Deps): TaskKind {
  return taskKind(
    deps,
    QUARANTINE_ROOM_MEDIA,
    ({ requestedBy: by }) => ({ by, which: UNPROTECTED }),
    partsOfRoom,
  );
}

/** Quarantines the media of a content (behaviour.md 14.2). */
export function hashQuarantineTask(deps: Deps): TaskKind {
  return taskKind(deps, QUARANTINE_HASH, ({ requestedBy: by }) => ({ by, which: UNPROTECTED }), partsOfHash);
}

/** Releases the media of a content (behaviour.md 14.2). */
export function hashReleaseTask(deps: Deps): TaskKind {
  return taskKind(deps, UNQUARANTINE_HASH, () => ({ by: null, which: QUARANTINED }), partsOfHash);
}

type Parts<Place> = (
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  place: Place | null,
) => AsyncIterable<Step<Place>>;

function taskKind<Place>(
  deps: Deps,
  name: string,
  changeOf: (task: RunningTask) => Change,
  parts: Parts<Place>,
): TaskKind {
  return {
    name,
    run: (task) => run(deps, task, changeOf(task), parts),
    compensate: (task) => compensate(deps, task, changeOf(task)),
  };
}

/**
 * Changes media part by part. A part is saved and counted before it is changed, so that the attempt after a crash
 * completes the saved part without counting it again.
 */
async function run<Place>(deps: Deps, task: RunningTask, change: Change, parts: Parts<Place>): Promise<void> {
  const complete = async (first: Step<Place> | undefined) => {
    for (let step = first; step; step = await following(deps, task, change, step.part)) {
      await task.save({ cursor: step.part, done: task.done + step.added });
      await touch(deps, task, change, step.part.keys);
    }
  };
  const noted = task.cursor<Part<Place>>();
  if (noted) {
    await touch(deps, task, change, noted.keys);
    await complete(await following(deps, task, change, noted));
  }
  for await (const step of parts(deps, task, change.which, noted?.place ?? null)) await complete(step);
}

/** Lists the changes of the part that was saved last, because no other process lists them. */
async function compensate(deps: Deps, task: RunningTask, { by }: Change): Promise<void> {
  const { keys = [] } = task.cursor<Part<unknown>>() ?? {};
  const touched = by === null ? { quarantined_by: null } : { quarantined_in: task.id };
  const found = await deps.media
    .find({ _id: { $in: keys }, ...touched }, { projection: { _id: 1 } })
    .toArray();
  await appendChanges(
    deps,
    found.map(({ _id }) => _id),
  );
}

/** Changes media in small batches, so that other requests do not wait for them, and lists the changes. */
async function touch(deps: Deps, task: RunningTask, { by }: Change, keys: readonly string[]): Promise<void> {
  const unchanged: Filter<Media> =
    by === null
      ? QUARANTINED
      : {
          ...UNPROTECTED,
          // A release of single media during the task stays. One of a content does not: all its media must be alike.
          $or: [{ quarantined_in: { $ne: task.id } }, { quarantined_by: null, sha256: { $ne: null } }],
        };
  const set = { quarantined_by: by, ...(by === null ? {} : { quarantined_in: task.id }) };
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    task.signal.throwIfAborted();
    const some = { _id: { $in: keys.slice(start, start + BATCH_SIZE) } };
    await changeAggregates(deps.media, { ...some, ...unchanged }, { set });
  }
  await appendChanges(deps, keys);
}

/**
 * Returns the next media with the hashes of a part: first those after its position; then those that are unchanged,
 * because they were stored or released in between. `undefined` when all are changed.
 */
async function following<Place>(
  deps: Deps,
  task: RunningTask,
  { by, which }: Change,
  { keys: noted, hashes: known, after, place }: Part<Place>,
): Promise<Step<Place> | undefined> {
  // A part that an earlier version saved has no hashes.
  const hashes =
    known ??
    hashesOf(await deps.media.find({ _id: { $in: noted } }, { projection: { sha256: 1 } }).toArray());
  if (hashes.length === 0) return undefined;
  if (after) {
    const [createdTs, id] = after;
    const behind: Filter<Media> = {
      sha256: hashes[0] ?? null,
      ...untouched(task, which),
      created_ts: { $gte: createdTs },
      $or: [{ created_ts: { $gt: createdTs } }, { _id: { $gt: id } }],
    };
    const found = await deps.media
      .find(behind, { sort: UPLOAD_ORDER, limit: PART, projection: { created_ts: 1 } })
      .toArray();
    const last = found.at(-1);
    if (last) {
      const keys = found.map(({ _id }) => _id);
      return { part: { keys, hashes, after: [last.created_ts, last._id], place }, added: keys.length };
    }
  }
  const left = await unchangedOf(deps, hashes, by, PART);
  if (left.length === 0) return undefined;
  const added = left.filter(({ quarantined_in }) => quarantined_in !== task.id).length;
  return { part: { keys: left.map(({ _id }) => _id), hashes, place }, added };
}

/** Divides found media, with all of the same content, into parts. */
async function* withContents<Place>(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  found: readonly Hashed[],
  place: Place | null,
): AsyncGenerator<Step<Place>> {
  if (found.length === 0) return;
  const hashes = hashesOf(found);
  const keys = await withSameContent(deps, found, untouched(task, which), PART);
  if (keys) {
    yield { part: { keys, hashes, place }, added: keys.length };
    return;
  }
  const contents = [...Map.groupBy(found, ({ _id, sha256 }) => sha256 ?? _id).values()];
  if (contents.length === 1) {
    yield { part: { keys: [], hashes, after: START, place }, added: 0 };
    return;
  }
  const half = Math.ceil(contents.length / 2);
  yield* withContents(deps, task, which, contents.slice(0, half).flat(), place);
  yield* withContents(deps, task, which, contents.slice(half).flat(), place);
}

async function* partsOfUser(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  after: string | null,
): AsyncGenerator<Step<string>> {
  for (let last = after; ; ) {
    const found = await deps.media
      .find(
        { user_id: task.key, ...untouched(task, which), _id: { $gt: last ?? '' } },
        { sort: { _id: 1 }, limit: PART, projection: { sha256: 1 } },
      )
      .toArray();
    yield* withContents(deps, task, which, found, last);
    if (found.length < PART) return;
    last = found.at(-1)?._id ?? last;
  }
}

async function* partsOfRoom(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  from: number | null,
): AsyncGenerator<Step<number>> {
  for (let place = from; ; ) {
    const { uris, next } = await deps.rooms.mediaOf(task.key, place);
    const shown = [...new Set(uris.flatMap(keyOf))];
    for (let start = 0; start < shown.length; start += PART) {
      const some = { _id: { $in: shown.slice(start, start + PART) } };
      const found = await deps.media
        .find({ ...some, ...untouched(task, which) }, { projection: { sha256: 1 } })
        .toArray();
      yield* withContents(deps, task, which, found, place);
    }
    if (next === null) return;
    place = next;
  }
}

/** All media of a hash; the following parts contain them. */
async function* partsOfHash(
  _deps: Deps,
  { key }: RunningTask,
  _which: Filter<Media>,
  place: true | null,
): AsyncGenerator<Step<true>> {
  if (place === null) yield { part: { keys: [], hashes: [key], after: START, place: true }, added: 0 };
}

/** Excludes media that the task has quarantined. */
function untouched({ id }: RunningTask, which: Filter<Media>): Filter<Media> {
  return { ...which, quarantined_in: { $ne: id } };
}

/** Returns the key of the medium of a content URI; empty for an invalid URI. */
export function keyOf(uri: string): readonly string[] {
  const parsed = parseContentUri(uri);
  return parsed ? [mediaKey(parsed.serverName, parsed.mediaId)] : [];
}
