import { toRefusal } from '@steward/errors';
import { occurrence } from '@steward/feed';
import { RoomDeletedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { NOT_FLUSHED } from '@steward/store';
import {
  defineTask,
  type Entitlement,
  type RunningTask,
  TaskFailed,
  type TaskKind,
  type TaskStep,
} from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import { blockRoom } from '../../core/aggregate/block-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { DELETE_ROOM, type DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { createNewRoom, messageOf, type NewRoom } from '../../core/moves/new-room.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import type { DeletionResult } from './deletion.ts';
import { emptyRoom, type MembersCursor } from './empty-room.ts';
import { type AliasesCursor, moveAliases } from './move-aliases.ts';
import { purgeRoom, type RemovedMedia, removedMediaOf } from './purge-room.ts';

type DeletionTask<C = undefined> = RunningTask<DeletionParams, C>;

/** Deletes rooms (behaviour.md 10.9). */
export function deletionTask(deps: Deps): TaskKind {
  const emptying: TaskStep<DeletionParams, MembersCursor> = {
    name: 'emptying',
    run: (task) => shutDown(deps, task),
  };
  const greeting: TaskStep<DeletionParams> = {
    name: 'greeting',
    applies: hasNewRoom,
    run: (task) => greet(deps, task),
  };
  const aliases: TaskStep<DeletionParams, AliasesCursor> = {
    name: 'aliases',
    applies: hasNewRoom,
    run: (task) => moveAliases(deps, task, newRoomOf(task) ?? ''),
  };
  const purging: TaskStep<DeletionParams, RemovedMedia> = {
    name: 'purging',
    // After the room document is deleted, only this task finds the remaining documents of the room.
    committed: true,
    applies: (task) => task.params().purge,
    cursorOf: removedMediaOf,
    run: (task) => purgeRoom(deps, task),
  };
  return defineTask<DeletionParams>(DELETE_ROOM, {
    steps: [emptying, greeting, aliases, purging],
    async finish(task) {
      await announceDeletion(deps, task);
      const { shortfall } = task.result<DeletionResult>() ?? {};
      if (shortfall !== undefined) throw new TaskFailed(`The room was deleted, but ${shortfall}`);
    },
    renderResult: (result) => ({ new_room_id: (result as DeletionResult | null)?.newRoomId ?? null }),
    requires: (task) => entitlementOf(task.params()),
  });
}

/** The room to which the members are moved; absent without one, and if it was refused. */
function newRoomOf(task: RunningTask): string | undefined {
  return task.result<DeletionResult>()?.newRoomId;
}

function hasNewRoom(task: RunningTask): boolean {
  return newRoomOf(task) !== undefined;
}

/** What an administrator must be entitled to for a deletion; it requires further scopes, as the request does. */
function entitlementOf({ block, newRoomUser }: DeletionParams): Entitlement {
  const others = block || newRoomUser !== null ? [Scope.ROOMS_WRITE] : [];
  return {
    scopes: [Scope.ROOMS_DELETE, ...others],
    accounts: newRoomUser === null ? [] : [newRoomUser],
  };
}

/** Makes the event that a room was deleted; once, also if the task runs again. */
async function announceDeletion({ outbox, relay, clock }: Deps, task: RunningTask): Promise<void> {
  const about = {
    id: `${task.id}.deleted`,
    timeMs: clock.now(),
    aggregate: `deletion ${task.id}`,
    sequence: 0,
    traceparent: '',
    requester: task.requestedBy,
    actor: task.requestedBy,
    taskId: task.id,
    targets: [task.key],
  };
  await outbox.add([occurrence(RoomDeletedSchema, { roomId: task.key }, about)], NOT_FLUSHED);
  relay.notify();
}

/**
 * Blocks the room if that was requested, removes the members, and moves them to the new room, if one was requested. What was refused to the new
 * room since the request was accepted is noted as the shortfall, and the deletion goes on.
 *
 * @returns `end` when there is no room
 */
async function shutDown(deps: Deps, task: DeletionTask<MembersCursor>): Promise<unknown> {
  const { version, block, newRoomUser: creator, ...room } = task.params();
  if (block) await blockRoom(deps, task.key, task.requestedBy);
  if (!(await loadRoom(deps, task.key))) {
    // Another deletion has removed the room since the request found it, or it never existed.
    if (version === 1 && !block) throw new TaskFailed('The room is not known here');
    return 'end';
  }
  const newRoomId = creator === null ? undefined : await newRoom(deps, task, { ...room, creator });
  return emptyRoom(deps, task, newRoomId);
}

/**
 * Returns the room to which the members are moved; creates it unless an earlier run of the task has. `undefined` if the room was refused; then
 * the members only leave.
 */
async function newRoom(deps: Deps, task: RunningTask, room: NewRoom): Promise<string | undefined> {
  const known = task.result<DeletionResult>();
  if (known) return known.newRoomId;
  let created = await deps.rooms.findOne({ founded_by: task.id }, { projection: { _id: 1 } });
  const create = async () => {
    task.signal.throwIfAborted();
    created = await createNewRoom(deps, room, task.id);
  };
  const why = created ? undefined : await refusalOf(create());
  const result: DeletionResult = created
    ? { newRoomId: created._id }
    : { shortfall: `the new room could not be made: ${why}` };
  await task.save({ result });
  return result.newRoomId;
}

/** Sends the message that explains the move to the new room, unless an earlier run of the task has. */
async function greet(deps: Deps, task: DeletionTask): Promise<void> {
  const { newRoomUser: creator, ...room } = task.params();
  const newRoomId = newRoomOf(task);
  if (creator === null || newRoomId === undefined) return;
  const draft = messageOf({ ...room, creator });
  const transaction = { key: `deletion ${task.id}`, txnId: '', session: '' };
  const sent = append(
    deps,
    newRoomId,
    async (view) => {
      if ((await view.sentBy(transaction)) === undefined) {
        await addChecked(deps, view, draft, { transaction });
      }
    },
    { inBackground: true },
  );
  const why = await refusalOf(sent);
  if (why === undefined) return;
  await task.save({
    result: { newRoomId, shortfall: `the message was not sent: ${why}` } satisfies DeletionResult,
  });
}

/** Why an attempt is refused, which a retry would meet again; `undefined` if it is not. */
async function refusalOf(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return toRefusal(error).message;
    throw error;
  }
}
