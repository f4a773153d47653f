import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';

/** Removes the entries of events of a room, so that a search does not find them. */
export async function removeEntries(
  { searchEntries }: Pick<Deps, 'searchEntries'>,
  roomId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await searchEntries.deleteMany({ _id: { $in: ids }, room_id: roomId }, NOT_FLUSHED);
}
