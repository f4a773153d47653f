import { toRefusal } from '@steward/errors';
import type { RunningTask, TaskKind } from '@steward/tasks';
import { append } from '../../core/aggregate/append.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { membershipsOf } from '../../core/membership/memberships-of.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { readMember } from '../../core/model/read-member.ts';
import { readingVersion } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { addRedaction } from '../../core/sending/add-redaction.ts';
import {
  type FailedRedactions,
  REDACT_USER,
  type UserRedactionParams,
} from '../../core/user-redaction/user-redaction.ts';
import type { RoomView } from '../../core/view/room-view.ts';

/** Events that are read with one query, and redacted with one commit. */
const BATCH = 50;

/** The types of events that are redacted; of member events only those by which the user joined. */
const TYPES = ['m.room.message', 'm.room.encrypted', 'm.room.member'];

/** The memberships that the user has in rooms to be redacted, if the request names no rooms. */
const MEMBERSHIPS = ['join', 'ban'] as const;

/** Redacts the events of users (behaviour.md 13.1). */
export function userRedactionTask(deps: Deps): TaskKind {
  return { name: REDACT_USER, run: (task) => run(deps, task) };
}

/** After an interruption the task starts from the beginning, and skips events that are already redacted. */
async function run(deps: Deps, task: RunningTask): Promise<void> {
  const params = task.params<UserRedactionParams>();
  if (params.rooms.length > 0) {
    for (const roomId of params.rooms) await redactIn(deps, task, params, roomId);
    return;
  }
  for (const membership of MEMBERSHIPS) {
    for await (const memberships of membershipsOf(deps, task.key, membership)) {
      for (const { room_id: roomId } of memberships) await redactIn(deps, task, params, roomId);
    }
  }
}

async function redactIn(
  deps: Deps,
  task: RunningTask,
  params: UserRedactionParams,
  roomId: string,
): Promise<void> {
  const room = await loadRoom(deps, roomId);
  if (!room) return;
  for (let below = room.arrival + 1, left = params.limit; left > 0; ) {
    const found = await eventsBelow(deps, task.key, params, roomId, below);
    const redactable = found.filter(isRedactable).slice(0, left);
    const unredacted = redactable.flatMap(({ _id, redacted_by }) => (redacted_by === undefined ? [_id] : []));
    const redact = (view: RoomView) => redactAll(deps, view, params, unredacted);
    const failed = unredacted.length > 0 ? await append(deps, roomId, redact, { inBackground: true }) : {};
    // Saved first, so that each part has its own number; a failure that a crash leaves unrecorded occurs again.
    await task.save({ done: task.done + 1 });
    if (Object.keys(failed).length > 0) await task.addPart(task.done, failed);
    left -= redactable.length;
    below = found.at(-1)?.arrival ?? 0;
    if (found.length < BATCH) return;
  }
}

function eventsBelow(
  deps: Pick<Deps, 'events'>,
  sender: string,
  { beforeMs, afterMs }: UserRedactionParams,
  roomId: string,
  below: number,
): Promise<readonly EventDocument[]> {
  const sent = {
    ...(beforeMs === null ? {} : { $lt: beforeMs }),
    ...(afterMs === null ? {} : { $gt: afterMs }),
  };
  return deps.events
    .find(
      {
        sender,
        room_id: roomId,
        arrival: { $gte: 1, $lt: below },
        type: { $in: TYPES },
        ...(Object.keys(sent).length > 0 ? { origin_server_ts: sent } : {}),
      },
      { sort: { arrival: -1 }, limit: BATCH },
    )
    .toArray();
}

function isRedactable(document: EventDocument): boolean {
  return document.type !== 'm.room.member' || readMember(document).membership === 'join';
}

/** Redacts the events that are not redacted yet; returns the messages of the room's refusals by event id. */
async function redactAll(
  deps: Deps,
  view: RoomView,
  { sender, reason }: UserRedactionParams,
  ids: readonly string[],
): Promise<FailedRedactions> {
  const { redactsInContent } = readingVersion(view.room.room_version);
  const content = reason === null ? {} : { reason };
  const failed: [string, string][] = [];
  for (const { _id: redacts, redacted_by } of await loadEvents(deps, ids)) {
    if (redacted_by !== undefined) continue;
    const draft = { type: 'm.room.redaction', sender, content };
    try {
      await addRedaction(
        deps,
        view,
        redactsInContent ? { ...draft, content: { ...content, redacts } } : { ...draft, redacts },
      );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failed.push([redacts, toRefusal(error).message]);
    }
  }
  return Object.fromEntries(failed);
}
