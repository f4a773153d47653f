import type { Filter } from '@steward/store';
import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import type { Reach } from '../../core/reach.ts';
import {
  type Hashed,
  hashesOf,
  UPLOAD_ORDER,
  unchangedOf,
  withSameContent,
} from '../../core/same-content.ts';

/** The number of media in one part, which the task saves before it changes them, and lists as changes afterwards. */
export const PART = 256;

/** The position of a medium in the order of upload: `created_ts` and `_id`. */
type Position = readonly [createdTs: number, id: string];

/** Before the first medium. */
const START: Position = [-1, ''];

/** A part of the media of a task. */
export interface Part<Place> {
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
export interface Step<Place> {
  readonly part: Part<Place>;
  readonly added: number;
}

/** What a task does to media. */
export interface Change {
  /** The new `quarantined_by`. */
  readonly by: string | null;
  /** Which media it selects. */
  readonly which: Filter<Media>;
}

/** Returns the part before the first medium of a content: the following parts contain its media in order. */
export function wholeContent<Place>(hash: string, place: Place | null): Step<Place> {
  return { part: { keys: [], hashes: [hash], after: START, place }, added: 0 };
}

/**
 * Returns the next media with the hashes of a part: first those after its position; then those that are unchanged,
 * because they were stored or released in between. `undefined` when all are changed.
 */
export async function following<Place>(
  deps: Deps,
  task: RunningTask,
  { by, which }: Change,
  part: Part<Place>,
): Promise<Step<Place> | undefined> {
  const { after, place, hashes = await hashesOfPart(deps, part) } = part;
  const [hash] = hashes;
  if (hash === undefined) return undefined;
  if (after) {
    const found = await inOrder(deps, hash, untouched(task, which), after);
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

/** Returns the hashes of a part that an earlier version saved without them. */
async function hashesOfPart({ media }: Deps, { keys }: Part<unknown>): Promise<readonly string[]> {
  return hashesOf(await media.find({ _id: { $in: keys } }, { projection: { sha256: 1 } }).toArray());
}

/** Returns the media of a content after a position, in the order of upload. */
function inOrder(
  { media }: Deps,
  hash: string,
  which: Filter<Media>,
  [createdTs, id]: Position,
): Promise<Media[]> {
  const behind: Filter<Media> = {
    sha256: hash,
    ...which,
    created_ts: { $gte: createdTs },
    $or: [{ created_ts: { $gt: createdTs } }, { _id: { $gt: id } }],
  };
  return media.find(behind, { sort: UPLOAD_ORDER, limit: PART, projection: { created_ts: 1 } }).toArray();
}

/**
 * Divides found media that the task may act against, with all of the same content, into parts: contents that fit into a part together, or one content
 * that does not.
 */
export async function* withContents<Place>(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  some: readonly Hashed[],
  place: Place | null,
  reach: Reach,
): AsyncGenerator<Step<Place>> {
  const found = await reach(some);
  if (found.length === 0) return;
  const hashes = hashesOf(found);
  const keys = await withSameContent(deps, found, untouched(task, which), PART);
  if (keys) {
    yield { part: { keys, hashes, place }, added: keys.length };
    return;
  }
  const contents = [...Map.groupBy(found, ({ _id, sha256 }) => sha256 ?? _id).values()];
  if (contents.length === 1) {
    for (const hash of hashes) yield wholeContent(hash, place);
    return;
  }
  const half = Math.ceil(contents.length / 2);
  yield* withContents(deps, task, which, contents.slice(0, half).flat(), place, reach);
  yield* withContents(deps, task, which, contents.slice(half).flat(), place, reach);
}

/** Excludes media that the task has quarantined. */
export function untouched({ id }: RunningTask, which: Filter<Media>): Filter<Media> {
  return { ...which, quarantined_in: { $ne: id } };
}
