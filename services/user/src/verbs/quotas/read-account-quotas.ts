import type { ReadAccountQuotasRequest } from '@steward/proto/steward/user/v1/quotas_pb.ts';
import { usedSpace } from '../../core/account-data/account-data-stream.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { countDevices } from '../../core/devices/current-devices.ts';
import { usedBackupSpace } from '../../core/key-backups/backup-space.ts';

/** Returns the quotas of an account and their use, for the service that shows them. */
export async function readAccountQuotas(deps: Deps, request: ReadAccountQuotasRequest) {
  const account = await existingAccount(deps, request.userId);
  const { _id: userId, admin, quotas = {} } = account;
  const backups = await usedBackupSpace(deps, userId);
  const data = await usedSpace(deps, userId);
  return {
    admin,
    quotas: { ...quotas },
    used: {
      key_backup_versions: BigInt(backups.versions),
      key_backup_bytes: BigInt(backups.total),
      devices: BigInt(await countDevices(deps, account)),
      account_data_count: BigInt(data.entries),
      account_data_bytes: BigInt(data.bytes),
      filters: BigInt(await deps.filters.countDocuments({ user_id: userId })),
      pushers: BigInt(await deps.pushers.countDocuments({ user_id: userId })),
    },
  };
}
