import type { Filter } from '@steward/store';
import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { keyOf, type Media } from '../../core/model/media.ts';
import { reachOfTask } from '../../core/reach.ts';
import { hashesOf } from '../../core/same-content.ts';
import { PART, type Step, untouched, wholeContent, withContents } from './parts.ts';

/** Finds the media that a task selects, from a place on, and divides them into parts. */
export type Parts<Place> = (
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  place: Place | null,
) => AsyncIterable<Step<Place>>;

/** The media of a user; a place is the key of a medium. */
export async function* partsOfUser(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  after: string | null,
): AsyncGenerator<Step<string>> {
  const reach = await reachOfTask(deps, task);
  for (let last = after; ; ) {
    const found = await deps.media
      .find(
        { user_id: task.key, ...untouched(task, which), _id: { $gt: last ?? '' } },
        { sort: { _id: 1 }, limit: PART, projection: { sha256: 1 } },
      )
      .toArray();
    yield* withContents(deps, task, which, found, last, reach);
    if (found.length < PART) return;
    last = found.at(-1)?._id ?? last;
  }
}

/** The media in the events of a room; a place is that of a page of them. */
export async function* partsOfRoom(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  from: number | null,
): AsyncGenerator<Step<number>> {
  const reach = await reachOfTask(deps, task);
  for (let place = from; ; ) {
    const { uris, next } = await deps.rooms.mediaOf(task.key, place);
    const shown = [...new Set(uris.flatMap(keyOf))];
    for (let start = 0; start < shown.length; start += PART) {
      const some = { _id: { $in: shown.slice(start, start + PART) } };
      const found = await deps.media
        .find({ ...some, ...untouched(task, which) }, { projection: { sha256: 1 } })
        .toArray();
      yield* withContents(deps, task, which, found, place, reach);
    }
    if (next === null) return;
    place = next;
  }
}

/** The media of a content; the place is after all of them. */
export async function* partsOfHash(
  _deps: Deps,
  { key }: RunningTask,
  _which: Filter<Media>,
  place: true | null,
): AsyncGenerator<Step<true>> {
  if (place === null) yield wholeContent(key, true);
}

/** The media of contents that a request has listed as known-bad; a place is the last hash before them. */
export async function* partsOfListed(
  deps: Deps,
  task: RunningTask,
  which: Filter<Media>,
  after: string | null,
): AsyncGenerator<Step<string>> {
  const reach = await reachOfTask(deps, task);
  for (let last = after; ; ) {
    const listed = await deps.hashes
      .find(
        { applied_by: task.key, _id: { $gt: last ?? '' } },
        { sort: { _id: 1 }, limit: PART, projection: { _id: 1 } },
      )
      .toArray();
    const given = listed.map(({ _id }) => ({ _id: '', sha256: _id }));
    const hashes = hashesOf(await reach(given));
    // Each round leaves the task fewer untouched media, until there are none.
    for (;;) {
      const found = await deps.media
        .find(
          { sha256: { $in: hashes }, ...untouched(task, which) },
          { limit: PART, projection: { sha256: 1 } },
        )
        .toArray();
      if (found.length === 0) break;
      for (const hash of hashesOf(found)) yield wholeContent(hash, last);
    }
    if (listed.length < PART) return;
    last = listed.at(-1)?._id ?? last;
  }
}
