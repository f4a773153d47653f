import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { memberId } from '../model/member.ts';

/** The age from which on an event without arrival never gets one; no commit comes so late. */
const MAX_UNSEEN_AGE_MS = 60 * 60_000;

/** Events that are deleted together. */
const BATCH = 100;

/** Deletes events that were inserted for commits which were never made. */
export async function sweepUnseen(
  deps: Pick<Deps, 'clock' | 'rooms' | 'events' | 'states' | 'members'>,
): Promise<void> {
  const before = deps.clock.now() - MAX_UNSEEN_AGE_MS;
  let batch: EventDocument[] = [];
  for await (const event of deps.events.find({ unseen_since: { $lt: before } })) {
    batch.push(event);
    if (batch.length < BATCH) continue;
    await deleteUnseen(deps, batch, before);
    batch = [];
  }
  await deleteUnseen(deps, batch, before);
}

async function deleteUnseen(
  deps: Pick<Deps, 'rooms' | 'events' | 'states' | 'members'>,
  batch: readonly EventDocument[],
  before: number,
): Promise<void> {
  if (batch.length === 0) return;
  const rooms = await deps.rooms
    .find({ _id: { $in: [...new Set(batch.map(({ room_id }) => room_id))] } }, { projection: { pending: 1 } })
    .toArray();
  // Admitted, but its effect is still pending: the store was unavailable for long.
  const admitted = new Set(
    rooms.flatMap(({ pending = [] }) =>
      pending.flatMap((effect) => (effect.kind === 'event' ? effect.event_id : [])),
    ),
  );
  const ids = batch.flatMap(({ _id }) => (admitted.has(_id) ? [] : [_id]));
  if (ids.length === 0) return;
  await deps.states.deleteMany({ _id: { $in: ids }, until: 0 });
  // The room was deleted since: its member documents go as well.
  const known = new Set(rooms.map(({ _id }) => _id));
  const strangers = batch.flatMap(({ room_id, type, state_key }) =>
    known.has(room_id) || type !== 'm.room.member' || state_key === undefined
      ? []
      : [memberId(room_id, state_key)],
  );
  if (strangers.length > 0) await deps.members.deleteMany({ _id: { $in: strangers }, arrival: 0 });
  await deps.events.deleteMany({ _id: { $in: ids }, unseen_since: { $lt: before } });
}
