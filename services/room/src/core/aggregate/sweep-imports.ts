import type { Deps } from '../deps.ts';

/** The age from which no commit admits an import document. */
const MAX_UNADMITTED_AGE_MS = 60 * 60_000;

/** Deletes import documents whose commit was never made. */
export async function sweepImports(deps: Pick<Deps, 'clock' | 'rooms' | 'imports'>): Promise<void> {
  const before = deps.clock.now() - MAX_UNADMITTED_AGE_MS;
  const old = deps.imports.find({ created_ts: { $lt: before } }, { projection: { room_id: 1 } });
  for await (const { _id, room_id } of old) {
    const room = await deps.rooms.findOne({ _id: room_id }, { projection: { pending: 1 } });
    // The document was admitted, but its effect is still pending because the store was unavailable.
    if (room?.pending?.some(({ id }) => id === _id)) continue;
    await deps.imports.deleteOne({ _id });
  }
}
