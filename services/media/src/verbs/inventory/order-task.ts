import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { changeAggregates } from '@steward/service';
import type { Filter } from '@steward/store';
import { defineTask, type RunningTask, type TaskKind, type TaskStep } from '@steward/tasks';
import { changeQuarantine } from '../../core/change-quarantine.ts';
import { checkShown } from '../../core/check-shown.ts';
import type { Deps } from '../../core/deps.ts';
import { type Position, positionOf, readParts, totalsOf } from '../../core/inventory/read-page.ts';
import { filterOf, type Selector } from '../../core/inventory/selector.ts';
import { type Media, protectionChange } from '../../core/model/media.ts';
import { type Reach, reachOfTask } from '../../core/reach.ts';
import { BATCH_SIZE, removeMedia } from '../../core/remove-media.ts';
import { QUARANTINED, READABLE } from '../../core/same-content.ts';

/** The name of tasks that carry out orders about all media of a selector; they have one key, so that one runs at a time. */
export const MEDIA_ORDER = 'media.order';

/** The action on the media. */
export type MediaOrder = 'quarantine' | 'release' | 'protect' | 'unprotect' | 'delete';

/** The parameters of an order. */
export interface OrderParams {
  readonly order: MediaOrder;
  readonly selector: Selector;
}

/** The progress of an order. */
interface Progress {
  /** The position of the last medium that was read. */
  readonly after: Position;
  /** The ids of the media that are being changed. */
  readonly keys: readonly string[];
}

/** The media that an order has found so far. */
interface Result {
  readonly media: number;
  readonly bytes: number;
  /** How many of these were left out, because who ordered it has no authority over their owners; absent for none. */
  readonly skipped?: number;
}

/** The order in which media are changed: those that others change keep their place. */
const BY_UPLOAD = { field: 'created_ts', direction: 1 } as const;

/** Carries out orders about all media of a selector. What is done when one is cancelled stays done. */
export function orderTask(deps: Deps): TaskKind {
  const changing: TaskStep<OrderParams, Progress> = { name: 'changing', run: (task) => run(deps, task) };
  return defineTask<OrderParams>(MEDIA_ORDER, {
    steps: [changing],
    renderResult: (result) => result,
    requires: (task) => {
      const isDeletion = task.params().order === 'delete';
      return { scopes: [isDeletion ? Scope.MEDIA_DELETE : Scope.MEDIA_WRITE] };
    },
  });
}

/**
 * Changes media part by part. A part is saved and counted before it is changed, so that the attempt after a crash completes the
 * saved part without counting it again. Media that no longer match are left as they are.
 */
async function run(deps: Deps, task: RunningTask<OrderParams, Progress>): Promise<void> {
  const { order, selector } = task.params();
  const actsAgainst = order !== 'release' && order !== 'protect';
  const reach: Reach = actsAgainst ? await reachOfTask(deps, task) : async (found) => found;
  const saved = task.cursor();
  if (saved) await carryOut(deps, task, order, selector, saved.keys);
  else await task.save({ total: (await totalsOf(deps, selector)).count });
  for await (const some of readParts(deps, selector, BY_UPLOAD, saved?.after, BATCH_SIZE)) {
    const last = some.at(-1);
    if (!last) continue;
    const after = positionOf(last, BY_UPLOAD);
    const keys = (await reach(some)).map(({ _id }) => _id);
    const { media = 0, bytes = 0, skipped = 0 } = task.result<Result>() ?? {};
    const left = skipped + some.length - keys.length;
    await task.save({
      cursor: { after, keys },
      done: task.done + some.length,
      result: {
        media: media + some.length,
        bytes: bytes + some.reduce((sum, { length }) => sum + length, 0),
        ...(left > 0 ? { skipped: left } : {}),
      } satisfies Result,
    });
    await carryOut(deps, task, order, selector, keys);
  }
}

async function carryOut(
  deps: Deps,
  task: RunningTask,
  order: MediaOrder,
  selector: Selector,
  keys: readonly string[],
): Promise<void> {
  const matching = filterOf(selector);
  task.signal.throwIfAborted();
  switch (order) {
    case 'quarantine': {
      const which: Filter<Media> = { $and: [matching, READABLE] };
      await changeQuarantine(deps, { keys, which }, task.requestedBy);
      return;
    }
    case 'release': {
      const which: Filter<Media> = { $and: [matching, QUARANTINED] };
      await changeQuarantine(deps, { keys, which }, null);
      return;
    }
    case 'protect':
    case 'unprotect': {
      const isSafe = order === 'protect';
      const stored: Filter<Media> = { _id: { $in: keys }, state: 'stored', safe_from_quarantine: !isSafe };
      await changeAggregates(deps.media, { $and: [stored, matching] }, protectionChange(isSafe));
      return;
    }
    case 'delete':
      // The fact that a medium is shown may not have arrived yet.
      if (selector.orphaned !== undefined) await checkShown(deps, keys);
      await removeMedia(deps, keys, matching);
  }
}
