import type { RoomPurged } from '@steward/proto/steward/event/v1/room_pb.ts';
import { release } from '../core/account-data/account-data-stream.ts';
import type { Deps } from '../core/deps.ts';
import { deleteCountedSessions } from '../core/key-backups/delete-backup-sessions.ts';

/** The number of documents that are removed together. */
const BATCH = 200;

/** Removes account data, tags and backed-up keys of a purged room (behaviour.md 10.9). */
export async function onRoomPurged(
  deps: Pick<Deps, 'accountData' | 'accountDataStreams' | 'keyBackups' | 'keyBackupSessions'>,
  { roomId }: RoomPurged,
): Promise<void> {
  // Account data without a room belong to the account as a whole.
  if (roomId === '') return;
  await removeAccountData(deps, roomId);
  await deleteCountedSessions(deps, { room_id: roomId });
}

async function removeAccountData(
  deps: Pick<Deps, 'accountData' | 'accountDataStreams'>,
  roomId: string,
): Promise<void> {
  for (;;) {
    const found = await deps.accountData.find({ room_id: roomId }, { limit: BATCH }).toArray();
    for (const { _id, user_id: userId, version, bytes } of found) {
      // A document that has changed since is found again, with its new size.
      const { deletedCount } = await deps.accountData.deleteOne({ _id, user_id: userId, version });
      if (deletedCount > 0) await release(deps, userId, { bytes, entries: 1 });
    }
    if (found.length === 0) return;
  }
}
