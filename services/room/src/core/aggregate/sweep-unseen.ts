import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { memberId } from '../model/member.ts';

/** The age from which no commit admits an event. */
const MAX_UNSEEN_AGE_MS = 60 * 60_000;

/** Events that are deleted with one call. */
const BATCH = 100;

/** Deletes events whose commit was never made. */
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
  // These were admitted, but their effects are still pending because the store was unavailable.
  const admitted = new Set(
    rooms.flatMap(({ pending = [] }) =>
      pending.flatMap((effect) => (effect.kind === 'event' ? effect.event_id : [])),
    ),
  );
  const ids = batch.flatMap(({ _id }) => (admitted.has(_id) ? [] : [_id]));
  if (ids.length === 0) return;
  await deps.states.deleteMany({ _id: { $in: ids }, until: 0 });
  // If the room was deleted in between, its member documents are deleted too.
  const known = new Set(rooms.map(({ _id }) => _id));
  const orphans = batch.flatMap(({ room_id, type, state_key }) =>
    known.has(room_id) || type !== 'm.room.member' || state_key === undefined
      ? []
      : [memberId(room_id, state_key)],
  );
  if (orphans.length > 0) await deps.members.deleteMany({ _id: { $in: orphans }, arrival: 0 });
  await deps.events.deleteMany({ _id: { $in: ids }, unseen_since: { $lt: before } });
}
