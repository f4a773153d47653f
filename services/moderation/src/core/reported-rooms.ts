import { Conflict, forEachBatch, type WriteOptions } from '@steward/store';
import type { Deps } from './deps.ts';

/** The number of rooms in one check. */
const PAGE = 1_000;

/** Records that rooms have reports, which are hidden after the removal of their room. */
export async function noteRooms(
  { reportedRooms }: Pick<Deps, 'reportedRooms'>,
  roomIds: readonly string[],
  options?: WriteOptions,
): Promise<void> {
  const missing = new Set(roomIds);
  const ids = [...missing];
  for await (const { _id } of reportedRooms.find({ _id: { $in: ids } })) missing.delete(_id);
  if (missing.size === 0) return;
  const rooms = [...missing].map((_id) => ({ _id }));
  await reportedRooms.insertMany(rooms, { ...options, ordered: false }).catch((error: unknown) => {
    // Another report has recorded some of them.
    if (!(error instanceof Conflict)) throw error;
  });
}

/** Hides the reports of removed rooms (behaviour.md 9.1). A removed room never returns. */
export async function hideReportsOf(
  deps: Pick<Deps, 'reportedRooms' | 'eventReports'>,
  roomIds: readonly string[],
): Promise<void> {
  await deps.eventReports.updateMany(
    { room_id: { $in: roomIds }, room_gone: false },
    { $set: { room_gone: true } },
  );
  await deps.reportedRooms.deleteMany({ _id: { $in: roomIds } });
}

/** Checks all rooms with reports, and hides the reports of removed rooms whose fact was missed. */
export async function hideReportsOfGoneRooms(
  deps: Pick<Deps, 'reportedRooms' | 'eventReports' | 'rooms'>,
): Promise<void> {
  await forEachBatch(deps.reportedRooms, {}, { size: PAGE }, async (page) => {
    const roomIds = page.map(({ _id }) => _id);
    const { rooms } = await deps.rooms.describe({ roomIds });
    const gone = roomIds.filter((roomId) => !rooms.has(roomId));
    if (gone.length > 0) await hideReportsOf(deps, gone);
  });
}
