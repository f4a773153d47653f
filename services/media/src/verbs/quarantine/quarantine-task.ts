import { parseContentUri } from '@steward/kernel';
import { changeAggregates } from '@steward/service';
import type { RunningTask, TaskKind } from '@steward/tasks';
import { BATCH_SIZE } from '../../core/change-quarantine.ts';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { appendChanges } from '../../core/quarantine-changes.ts';
import { QUARANTINE_ROOM_MEDIA, QUARANTINE_USER_MEDIA } from './bulk-quarantine.ts';

/** The number of media in one part, which the task saves before it quarantines them, and lists as changes afterwards. */
const PART = 240;

/** Excludes protected media. */
const UNPROTECTED = { safe_from_quarantine: false } as const;

/** A part of the media of a quarantine. */
interface Part<Place> {
  /** The media that the task has not quarantined yet. */
  readonly keys: readonly string[];
  /** Where the next attempt continues; null for the beginning. Quarantined media may occur again. */
  readonly place: Place | null;
}

/** Quarantines a user's media, except quarantined ones (behaviour.md 5). */
export function userQuarantineTask(deps: Deps): TaskKind {
  return {
    name: QUARANTINE_USER_MEDIA,
    run: (task) => run(deps, task, partsOfUser),
    compensate: (task) => compensate(deps, task),
  };
}

/** Quarantines the media in a room's events, each once (behaviour.md 5). */
export function roomQuarantineTask(deps: Deps): TaskKind {
  return {
    name: QUARANTINE_ROOM_MEDIA,
    run: (task) => run(deps, task, partsOfRoom),
    compensate: (task) => compensate(deps, task),
  };
}

/**
 * Quarantines media part by part. A part is saved and counted before it is quarantined, so that the attempt after a
 * crash completes the saved part without counting it again.
 */
async function run<Place>(
  deps: Deps,
  task: RunningTask,
  parts: (deps: Deps, task: RunningTask, place: Place | null) => AsyncIterable<Part<Place>>,
): Promise<void> {
  const noted = task.cursor<Part<Place>>();
  if (noted) await touch(deps, task, noted.keys);
  for await (const part of parts(deps, task, noted?.place ?? null)) {
    await task.save({ cursor: part, done: task.done + part.keys.length });
    await touch(deps, task, part.keys);
  }
}

/** Lists the changes of the part that was saved last, because no other process lists them. */
async function compensate(deps: Deps, task: RunningTask): Promise<void> {
  const { keys = [] } = task.cursor<Part<unknown>>() ?? {};
  const touched = await deps.media
    .find({ _id: { $in: keys }, quarantined_in: task.id }, { projection: { _id: 1 } })
    .toArray();
  await appendChanges(
    deps,
    touched.map(({ _id }) => _id),
  );
}

/** Quarantines media in small batches, so that other requests do not wait for them, and lists the changes. */
async function touch(deps: Deps, task: RunningTask, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    task.signal.throwIfAborted();
    const some = { _id: { $in: keys.slice(start, start + BATCH_SIZE) } };
    await changeAggregates(
      deps.media,
      // Excludes media whose quarantine by this task an administrator has ended.
      { ...some, ...UNPROTECTED, quarantined_in: { $ne: task.id } },
      { set: { quarantined_by: task.requestedBy, quarantined_in: task.id } },
    );
  }
  await appendChanges(deps, keys);
}

async function* partsOfUser(
  { media }: Deps,
  { key: userId }: RunningTask,
  after: string | null,
): AsyncGenerator<Part<string>> {
  let last = after ?? '';
  for (;;) {
    const found = await media
      .find(
        { user_id: userId, quarantined_by: null, ...UNPROTECTED, _id: { $gt: last } },
        { sort: { _id: 1 }, limit: PART, projection: { _id: 1 } },
      )
      .toArray();
    const keys = found.map(({ _id }) => _id);
    last = keys.at(-1) ?? last;
    if (keys.length > 0) yield { keys, place: last };
    if (keys.length < PART) return;
  }
}

async function* partsOfRoom(
  { media, rooms }: Deps,
  { id, key: roomId }: RunningTask,
  from: number | null,
): AsyncGenerator<Part<number>> {
  for (let place = from; ; ) {
    const { uris, next } = await rooms.mediaOf(roomId, place);
    const shown = [...new Set(uris.flatMap(keyOf))];
    for (let start = 0; start < shown.length; start += PART) {
      const some = { _id: { $in: shown.slice(start, start + PART) } };
      const untouched = { ...some, ...UNPROTECTED, quarantined_in: { $ne: id } };
      const found = await media.find(untouched, { projection: { _id: 1 } }).toArray();
      if (found.length > 0) yield { keys: found.map(({ _id }) => _id), place };
    }
    if (next === null) return;
    place = next;
  }
}

/** Returns the key of the medium of a content URI; empty for an invalid URI. */
export function keyOf(uri: string): readonly string[] {
  const parsed = parseContentUri(uri);
  return parsed ? [mediaKey(parsed.serverName, parsed.mediaId)] : [];
}
