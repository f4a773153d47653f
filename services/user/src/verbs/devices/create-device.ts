import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CreateDeviceRequest } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { raiseDeferred, requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { removeLeftover } from '../../core/devices/current-devices.ts';
import { isCrossSigningKey } from '../../core/keys/is-cross-signing-key.ts';
import { deviceKey } from '../../core/model/device.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/** Creates a device without a name or token; an existing device stays unchanged (behaviour.md 3). */
export async function createDevice(deps: Deps, request: CreateDeviceRequest, context: HandlerContext) {
  const account = await existingAccount(deps, request.userId);
  raiseDeferred(context);
  await requireAuthority(deps, requester(context), account);
  if (request.deviceId === '') throw refuse.unknown("'device_id' must not be empty");
  if (await isCrossSigningKey(deps, account._id, request.deviceId))
    throw refuse.forbiddenRequest('A key of the user has this id');
  await removeLeftover(deps, account, request.deviceId);
  const { epoch } = account.sessions;
  const _id = deviceKey(account._id, request.deviceId);
  const { upsertedCount } = await deps.devices.updateOne(
    { _id },
    {
      $setOnInsert: {
        user_id: account._id,
        device_id: request.deviceId,
        display_name: null,
        last_seen_ip: null,
        last_seen_user_agent: null,
        last_seen_ts: null,
        epoch,
      },
    },
    { upsert: true },
  );
  if (upsertedCount > 0) {
    // A concurrent end of the sessions may have removed the devices before this one was inserted.
    const current = await deps.accounts.findOne({ _id: account._id }, { projection: { sessions: 1 } });
    if (current && current.sessions.epoch > epoch) await deps.devices.deleteOne({ _id, epoch });
  }
  return {};
}
