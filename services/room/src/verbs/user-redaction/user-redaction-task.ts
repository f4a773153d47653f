import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { defineTask, type RunningTask, TaskFailed, type TaskKind } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { addOrderedRedaction } from '../../core/orders/add-ordered-redaction.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { roomsOf, unredactedOf } from '../../core/user-redaction/unredacted-of.ts';
import {
  type FailedRedactions,
  REDACT_USER,
  type RedactionCounts,
  type UserRedactionParams,
} from '../../core/user-redaction/user-redaction.ts';
import type { RoomView } from '../../core/view/room-view.ts';

type RedactionTask = RunningTask<UserRedactionParams>;

/** Redacts the events of users (behaviour.md 13.1). */
export function userRedactionTask(deps: Deps): TaskKind {
  return defineTask<UserRedactionParams>(REDACT_USER, {
    steps: [{ name: 'redacting', run: (task) => run(deps, task) }],
    requires: ({ key }) => ({ scopes: [Scope.ROOMS_WRITE], accounts: [key] }),
    renderResult: (result) => result ?? NOTHING_DONE,
  });
}

const NOTHING_DONE: RedactionCounts = { redacted: 0, failed: 0 };

/** After an interruption the task starts from the beginning, and skips events that are already redacted. */
async function run(deps: Deps, task: RedactionTask): Promise<void> {
  const params = task.params();
  for await (const roomId of roomsOf(deps, task.key, params)) await redactIn(deps, task, params, roomId);
  const failed = new Set<string>();
  for await (const part of deps.tasks.parts<FailedRedactions>(task.id))
    for (const id of Object.keys(part)) failed.add(id);
  if (failed.size === 0) return;
  const { redacted } = task.result<RedactionCounts>() ?? NOTHING_DONE;
  await task.save({ result: { redacted, failed: failed.size } satisfies RedactionCounts });
  throw new TaskFailed(`${failed.size} ${failed.size === 1 ? 'event' : 'events'} could not be redacted`);
}

async function redactIn(
  deps: Deps,
  task: RedactionTask,
  params: UserRedactionParams,
  roomId: string,
): Promise<void> {
  const room = await loadRoom(deps, roomId);
  if (!room) return;
  for await (const unredacted of unredactedOf(deps, task.key, params, room))
    if (unredacted.length > 0) await redactBatch(deps, task, roomId, unredacted);
}

async function redactBatch(
  deps: Deps,
  task: RedactionTask,
  roomId: string,
  ids: readonly string[],
): Promise<void> {
  const redact = (view: RoomView) => redactAll(deps, task, view, ids);
  const failures = await append(deps, roomId, redact, { inBackground: true });
  const failed = Object.keys(failures).length;
  const before = task.result<RedactionCounts>() ?? NOTHING_DONE;
  const result = {
    redacted: before.redacted + ids.length - failed,
    failed: before.failed + failed,
  } satisfies RedactionCounts;
  // Saved first, so that each part has its own number; a failure that a crash leaves unrecorded occurs again.
  await task.save({ done: task.done + ids.length, result });
  if (failed > 0) await task.addPart(task.done, failures);
}

/** Redacts the events that are not redacted yet; returns the messages of the refusals by event id. */
async function redactAll(
  deps: Deps,
  task: RedactionTask,
  view: RoomView,
  ids: readonly string[],
): Promise<FailedRedactions> {
  const { sender: preferred, reason } = task.params();
  const rights = await deps.authority.rightsOf(task.requestedBy);
  const failed: [string, string][] = [];
  for (const stored of await loadEvents(deps, ids)) {
    const redaction = { stored, preferred, reason: reason ?? undefined, rights };
    try {
      await addOrderedRedaction(deps, view, redaction, { orderedBy: task.requestedBy });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failed.push([stored._id, toRefusal(error).message]);
    }
  }
  return Object.fromEntries(failed);
}
