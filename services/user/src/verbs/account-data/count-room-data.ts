import type { CountRoomDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Counts what accounts store for a room: what its removal removes, see `onRoomPurged`. */
export async function countRoomData(
  { accountData, keyBackupSessions }: Pick<Deps, 'accountData' | 'keyBackupSessions'>,
  { roomId: room_id }: CountRoomDataRequest,
) {
  return {
    accountData: BigInt(await accountData.countDocuments({ room_id })),
    backedUpKeys: BigInt(await keyBackupSessions.countDocuments({ room_id })),
  };
}
