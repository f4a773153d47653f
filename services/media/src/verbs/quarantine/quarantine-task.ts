import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { changeAggregates } from '@steward/service';
import { type Filter, NOT_FLUSHED } from '@steward/store';
import { defineTask, type RunningTask, type TaskKind, type TaskStep } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { QUARANTINE_LISTED } from '../../core/hashes/quarantine-listed.ts';
import { type Media, quarantineChange } from '../../core/model/media.ts';
import { appendChanges } from '../../core/quarantine-changes.ts';
import { QUARANTINED, READABLE, UNPROTECTED } from '../../core/same-content.ts';
import {
  QUARANTINE_HASH,
  QUARANTINE_ROOM_MEDIA,
  QUARANTINE_USER_MEDIA,
  UNQUARANTINE_HASH,
} from './bulk-quarantine.ts';
import { type Change, following, type Part, type Step } from './parts.ts';
import { type Parts, partsOfHash, partsOfListed, partsOfRoom, partsOfUser } from './selected-parts.ts';

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

/** Quarantines the media of the contents that a request has listed as known-bad, except quarantined ones. */
export function listedQuarantineTask(deps: Deps): TaskKind {
  return taskKind(deps, QUARANTINE_LISTED, ({ requestedBy: by }) => ({ by, which: READABLE }), partsOfListed);
}

function taskKind<Place>(
  deps: Deps,
  name: string,
  changeOf: (task: RunningTask) => Change,
  parts: Parts<Place>,
): TaskKind {
  const changing: TaskStep<null, Part<Place>> = {
    name: 'changing',
    run: (task) => run(deps, task, changeOf(task), parts),
    compensate: (task) => compensate(deps, task, changeOf(task)),
  };
  return defineTask<null>(name, {
    steps: [changing],
    requires: ({ key }) => ({
      scopes: [Scope.MEDIA_WRITE],
      accounts: name === QUARANTINE_USER_MEDIA ? [key] : [],
    }),
  });
}

/**
 * Changes media part by part. A part is saved and counted before it is changed, so that the attempt after a crash
 * completes the saved part without counting it again.
 */
async function run<Place>(
  deps: Deps,
  task: RunningTask<null, Part<Place>>,
  change: Change,
  parts: Parts<Place>,
): Promise<void> {
  const complete = async (first: Step<Place> | undefined) => {
    for (let step = first; step; step = await following(deps, task, change, step.part)) {
      await task.save({ cursor: step.part, done: task.done + step.added });
      await touch(deps, task, change, step.part.keys);
    }
  };
  const noted = task.cursor();
  if (noted) {
    await touch(deps, task, change, noted.keys);
    await complete(await following(deps, task, change, noted));
  }
  for await (const step of parts(deps, task, change.which, noted?.place ?? null)) await complete(step);
}

/** Lists the changes of the part that was saved last, because no other process lists them. */
async function compensate(deps: Deps, task: RunningTask<null, Part<unknown>>, { by }: Change): Promise<void> {
  const { keys = [] } = task.cursor() ?? {};
  const touched = by === null ? { quarantined_by: null } : { quarantined_in: task.id };
  const found = await deps.media
    .find({ _id: { $in: keys }, ...touched }, { projection: { _id: 1 } })
    .toArray();
  await appendChanges(
    deps,
    found.map(({ _id }) => _id),
  );
}

/** Changes the media of a part, and lists the changes. */
async function touch(deps: Deps, task: RunningTask, { by }: Change, keys: readonly string[]): Promise<void> {
  const unchanged: Filter<Media> =
    by === null
      ? QUARANTINED
      : {
          ...UNPROTECTED,
          // A release of single media during the task stays. One of a content does not: all its media must be alike.
          $or: [{ quarantined_in: { $ne: task.id } }, { quarantined_by: null, sha256: { $ne: null } }],
        };
  const { set, unset } = quarantineChange(by);
  const change = {
    set: { ...set, ...(by === null ? {} : { quarantined_in: task.id }) },
    ...(unset && { unset }),
  };
  task.signal.throwIfAborted();
  // The list of changes is written to disk next, and these changes with it.
  await changeAggregates(deps.media, { _id: { $in: keys }, ...unchanged }, change, NOT_FLUSHED);
  await appendChanges(deps, keys);
}
