import { loadRoom } from '../../core/aggregate/load-room.ts';
import { abandonRoom } from '../../core/deletion/abandon-room.ts';
import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import type { Room } from '../../core/model/room.ts';
import { eventIdOf } from '../../core/model/state-document.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { completeUpgrade } from './complete-upgrade.ts';

/** The age from which an incomplete upgrade must have been interrupted by a crash; no upgrade takes as long. */
const MAX_UPGRADE_AGE_MS = 60 * 60_000;

/**
 * Ends the upgrades that a crash interrupted: completes an upgrade that the old room has announced, and removes a
 * replacement that was never announced, unless other users have joined it.
 */
export async function sweepUpgrades(deps: Deps): Promise<void> {
  const before = deps.clock.now() - MAX_UPGRADE_AGE_MS;
  const interrupted = { upgrade_of: { $gt: '' }, created_ts: { $lt: before } };
  const found = await deps.rooms.find(interrupted, { projection: { _id: 1 } }).toArray();
  for (const { _id } of found) {
    const room = await loadRoom(deps, _id);
    if (room?.upgrade_of !== undefined) await endUpgrade(deps, room, room.upgrade_of);
  }
}

async function endUpgrade(deps: Deps, room: Room, oldId: string): Promise<void> {
  const isAnnounced = (await announcedBy(deps, oldId)).has(room._id);
  if (!isAnnounced && room.joined_members <= 1) return abandonRoom(deps, room);
  const { _id: replacement, creator: sender } = room;
  await completeUpgrade(deps, { old: { _id: oldId }, replacement, sender, traceparent: '' });
}

/** The rooms that a room announces, or has announced, as its replacement. */
async function announcedBy(deps: Deps, roomId: string): Promise<ReadonlySet<unknown>> {
  await loadRoom(deps, roomId);
  const intervals = await deps.states
    .find({ room_id: roomId, type: 'm.room.tombstone', state_key: '' }, { projection: { _id: 1 } })
    .toArray();
  const tombstones = await loadEvents(deps, intervals.map(eventIdOf));
  return new Set(tombstones.map((event) => toRoomEvent(event).event.content.replacement_room));
}
