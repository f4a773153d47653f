import { toRefusal } from '@steward/errors';
import { occurrence } from '@steward/feed';
import { RoomDeletedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { NOT_FLUSHED } from '@steward/store';
import { type Entitlement, type RunningTask, TaskFailed, type TaskKind } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import { blockRoom } from '../../core/aggregate/block-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { DELETE_ROOM, type DeletionParams, PURGING } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { createNewRoom, messageOf, type NewRoom } from '../../core/moves/new-room.ts';
import type { EventDraft } from '../../core/protocol/mod.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import type { DeletionResult } from './deletion.ts';
import { type DeletionCursor, emptyRoom } from './empty-room.ts';
import { moveAliases } from './move-aliases.ts';
import { purgeRoom } from './purge-room.ts';

/** The steps of a deletion after the room has been emptied. */
const GREETING = 'greeting';
const ALIASES = 'aliases';

/** Deletes rooms (behaviour.md 10.9). */
export function deletionTask(deps: Deps): TaskKind {
  return {
    name: DELETE_ROOM,
    // After the room document is deleted, only this task finds the remaining documents of the room.
    committedSteps: [PURGING],
    renderResult: (result) => ({ new_room_id: (result as DeletionResult | null)?.newRoomId ?? null }),
    requires: (task) => entitlementOf(task.params<DeletionParams>()),
    run: (task) => run(deps, task),
  };
}

/** What an administrator must be entitled to for a deletion; it requires further scopes, as the request does. */
function entitlementOf({ block, newRoomUser }: DeletionParams): Entitlement {
  const others = block || newRoomUser !== null ? [Scope.ROOMS_WRITE] : [];
  return {
    scopes: [Scope.ROOMS_DELETE, ...others],
    accounts: newRoomUser === null ? [] : [newRoomUser],
  };
}

async function run(deps: Deps, task: RunningTask): Promise<void> {
  const params = task.params<DeletionParams>();
  if (task.step !== PURGING) {
    if (params.block) await blockRoom(deps, task.key, task.requestedBy);
    if (!(await loadRoom(deps, task.key))) {
      // Another deletion has removed the room since the request found it, or it never existed.
      if (params.version === 1 && !params.block) throw new TaskFailed('The room is not known here');
      return;
    }
    await shutDown(deps, task, params);
    if (params.purge) await task.save({ step: PURGING });
  }
  if (params.purge) await purgeRoom(deps, task, params);
  await announceDeletion(deps, task);
  const { shortfall } = task.result<DeletionResult>() ?? {};
  if (shortfall !== undefined) throw new TaskFailed(`The room was deleted, but ${shortfall}`);
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
 * Removes the members, and moves them and the aliases to the new room, if one was requested. What was refused to the new room since the request
 * was accepted is noted as the shortfall, and the deletion goes on.
 */
async function shutDown(deps: Deps, task: RunningTask, params: DeletionParams): Promise<void> {
  const { newRoomUser: creator } = params;
  const room = creator === null ? undefined : { ...params, creator };
  const newRoomId = room && (await newRoom(deps, task, room));
  if (task.step !== GREETING && task.step !== ALIASES) {
    await emptyRoom(deps, task, newRoomId);
    const { part = 0 } = task.cursor<DeletionCursor>() ?? {};
    await task.save({ step: GREETING, cursor: { part } satisfies DeletionCursor });
  }
  if (room === undefined || newRoomId === undefined) return;
  if (task.step === GREETING) {
    const why = await refusalOf(greet(deps, task, newRoomId, messageOf(room)));
    const result: DeletionResult = {
      newRoomId,
      ...(why && { shortfall: `the message was not sent: ${why}` }),
    };
    await task.save({ step: ALIASES, result });
  }
  await moveAliases(deps, task, newRoomId);
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
function greet(deps: Deps, task: RunningTask, newRoomId: string, draft: EventDraft): Promise<void> {
  const transaction = { key: `deletion ${task.id}`, txnId: '', session: '' };
  return append(
    deps,
    newRoomId,
    async (view) => {
      if ((await view.sentBy(transaction)) === undefined) {
        await addChecked(deps, view, draft, { transaction });
      }
    },
    { inBackground: true },
  );
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
