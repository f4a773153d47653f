import type { RoomPurged } from '@steward/proto/steward/event/v1/room_pb.ts';
import { release } from '../core/account-data/account-data-stream.ts';
import type { Deps } from '../core/deps.ts';
import { keyBackupId } from '../core/model/key-backup.ts';

/** Documents that are removed at once. */
const BATCH = 200;

/** Removes what accounts keep for a room that is no more: data, tags, and backed-up keys (behaviour.md 10.9). */
export async function onRoomPurged(
  deps: Pick<Deps, 'accountData' | 'accountDataStreams' | 'keyBackups' | 'keyBackupSessions'>,
  { roomId }: RoomPurged,
): Promise<void> {
  // What belongs to no room belongs to the account.
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
      // One that has changed since is found again, with what it takes now.
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
