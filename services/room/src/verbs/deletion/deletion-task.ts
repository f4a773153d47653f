import { toRefusal } from '@steward/errors';
import { occurrence } from '@steward/feed';
import { RoomDeletedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { NOT_FLUSHED } from '@steward/store';
import { type RunningTask, TaskFailed, type TaskKind } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import { blockRoom } from '../../core/aggregate/block-room.ts';
import { initializeRoom } from '../../core/aggregate/initialize-room.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { DELETE_ROOM, type DeletionParams, PURGING } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { profileOf } from '../../core/membership/change-membership.ts';
import { planRoom } from '../../core/protocol/mod.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addChecked } from '../../core/sending/add-checked.ts';
import type { DeletionResult } from './deletion.ts';
import { type DeletionCursor, emptyRoom } from './empty-room.ts';
import { moveAliases } from './move-aliases.ts';
import { purgeRoom } from './purge-room.ts';

/** The `users_default` power level of the room to which the members are moved. */
const MOVED_LEVEL = -10;

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
    run: (task) => run(deps, task),
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
    if (!params.purge) return announceDeletion(deps, task);
    await task.save({ step: PURGING });
  }
  await purgeRoom(deps, task, params);
  await announceDeletion(deps, task);
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

/** Removes the members, and moves them and the aliases to the new room, if one was requested. */
async function shutDown(deps: Deps, task: RunningTask, params: DeletionParams): Promise<void> {
  const creator = params.newRoomUser;
  const newRoomId = creator === null ? undefined : await newRoom(deps, task, creator, params.roomName);
  if (task.step !== GREETING && task.step !== ALIASES) {
    await emptyRoom(deps, task, newRoomId);
    const { part = 0 } = task.cursor<DeletionCursor>() ?? {};
    await task.save({ step: GREETING, cursor: { part } satisfies DeletionCursor });
  }
  if (creator === null || newRoomId === undefined) return;
  if (task.step === GREETING) {
    await orFail(greet(deps, task, newRoomId, creator, params.message));
    await task.save({ step: ALIASES });
  }
  await moveAliases(deps, task, newRoomId);
}

/** Returns the room to which the members are moved; creates it unless an earlier run of the task has. */
async function newRoom(deps: Deps, task: RunningTask, creator: string, name: string): Promise<string> {
  const known = task.result<DeletionResult>();
  if (known) return known.newRoomId;
  const created = await deps.rooms.findOne({ founded_by: task.id }, { projection: { _id: 1 } });
  const room = created ?? (await orFail(createRoom(deps, task, creator, name)));
  await task.save({ result: { newRoomId: room._id } satisfies DeletionResult });
  return room._id;
}

async function createRoom(deps: Deps, task: RunningTask, creator: string, name: string) {
  const request = { preset: 'public_chat', name, powerLevelContentOverride: { users_default: MOVED_LEVEL } };
  const plan = planRoom(request, {
    creator,
    creatorProfile: await profileOf(deps, creator),
    serverName: deps.serverName,
    defaultRoomVersion: deps.settings.defaultRoomVersion,
  });
  task.signal.throwIfAborted();
  return initializeRoom(deps, {
    version: plan.version,
    creator,
    isPublic: plan.isPublic,
    drafts: plan.drafts,
    traceparent: '',
    foundedBy: task.id,
  });
}

/** Sends the message that explains the move to the new room, unless an earlier run of the task has. */
function greet(
  deps: Deps,
  task: RunningTask,
  newRoomId: string,
  sender: string,
  message: string,
): Promise<void> {
  const transaction = { key: `deletion ${task.id}`, txnId: '', session: '' };
  const draft = { type: 'm.room.message', sender, content: { msgtype: 'm.text', body: message } };
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

/** Fails the task on a refusal, because a retry would meet it again. */
async function orFail<R>(attempt: Promise<R>): Promise<R> {
  try {
    return await attempt;
  } catch (error) {
    throw isRefusal(error) ? new TaskFailed(toRefusal(error).message) : error;
  }
}
