import { forEachBatch } from '@steward/store';
import { isOpen } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { PURGE_HISTORY } from '../model/history-purge.ts';
import { activityTime, isMessage } from '../model/messages.ts';
import { loadRoom } from './load-room.ts';
import { rooms } from './rooms.ts';

/** The rooms that are looked up together. */
const ROOMS = 100;

/** The events that are read together; the embedded engine serves other requests in between. */
const EVENTS = 250;

const COUNTED = {
  arrival: 1,
  type: 1,
  state_key: 1,
  origin_server_ts: 1,
  received_ts: 1,
  soft_failed: 1,
  rejected: 1,
} as const;

/**
 * Counts the messages of the rooms of an earlier release, which did not count them. What crashes in between is repeated, and
 * once all rooms are counted this is one look-up. A room whose history is being purged is left for later.
 */
export async function countMessages(deps: Deps): Promise<void> {
  await forEachBatch(
    deps.rooms,
    { messages: null },
    { size: ROOMS, projection: { _id: 1 } },
    async (some) => {
      for (const { _id } of some) if (!(await isBeingPurged(deps, _id))) await countMessagesOf(deps, _id);
    },
  );
}

/**
 * Counts the messages of a room, and finds the time of its last activity, unless that is done. Called before a purge removes
 * any of them, or while none is in progress.
 */
export async function countMessagesOf(deps: Deps, roomId: string, signal?: AbortSignal): Promise<void> {
  const room = await loadRoom(deps, roomId);
  if (!room || room.messages !== undefined) return;
  const counted = await readBetween(deps, roomId, 0, room.arrival, signal);
  await rooms.change(deps, roomId, async (current) => {
    // A purge that began since has counted them itself.
    if (current.messages !== undefined || current.horizon?.arrival !== room.horizon?.arrival)
      return undefined;
    const added = await readBetween(deps, roomId, room.arrival, current.arrival, signal);
    const activity = Math.max(counted.activity, added.activity);
    return {
      set: {
        messages: counted.messages + added.messages,
        last_activity_ts: activity > 0 ? activity : current.created_ts,
      },
    };
  });
}

/** The messages of a room that arrived after one arrival number and up to another, and the last activity, 0 without one. */
async function readBetween(
  { events }: Pick<Deps, 'events'>,
  roomId: string,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<{ readonly messages: number; readonly activity: number }> {
  let messages = 0;
  let activity = 0;
  for (let after = from; after < to; ) {
    signal?.throwIfAborted();
    const page = await events
      .find(
        { room_id: roomId, arrival: { $gt: after, $lte: to } },
        { sort: { arrival: 1 }, limit: EVENTS, projection: COUNTED },
      )
      .toArray();
    messages += page.filter(isMessage).length;
    const seen = page.filter((event) => !event.soft_failed && !event.rejected);
    activity = Math.max(activity, ...seen.map(activityTime));
    after = page.at(-1)?.arrival ?? to;
  }
  return { messages, activity };
}

async function isBeingPurged({ tasks }: Pick<Deps, 'tasks'>, roomId: string): Promise<boolean> {
  const purges = await tasks.list(roomId, PURGE_HISTORY);
  return purges.some(isOpen);
}
