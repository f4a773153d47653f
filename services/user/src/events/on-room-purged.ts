import type { RoomPurged } from '@steward/proto/steward/event/v1/room_pb.ts';
import { release } from '../core/account-data/account-data-stream.ts';
import type { Deps } from '../core/deps.ts';
import { keyBackupId } from '../core/model/key-backup.ts';

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
  await removeBackedUpKeys(deps, roomId);
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
      if (deletedCount > 0) await release(deps, userId, bytes);
    }
    if (found.length === 0) return;
  }
}

async function removeBackedUpKeys(
  deps: Pick<Deps, 'keyBackups' | 'keyBackupSessions'>,
  roomId: string,
): Promise<void> {
  for (;;) {
    const found = await deps.keyBackupSessions
      .find({ room_id: roomId }, { projection: { user_id: 1, version: 1 }, limit: BATCH })
      .toArray();
    if (found.length === 0) return;
    const backups = new Set(found.map(({ user_id, version }) => keyBackupId(user_id, version)));
    for (const _id of backups) await deps.keyBackups.updateOne({ _id }, { $inc: { etag: 1 } });
    await deps.keyBackupSessions.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, room_id: roomId });
  }
}
