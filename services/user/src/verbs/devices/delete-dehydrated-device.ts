import type { HandlerContext } from '@connectrpc/connect';
import { accountTopic } from '@steward/events';
import type { Deps } from '../../core/deps.ts';
import { existingDehydratedDevice, removeDehydratedDevice } from '../../core/devices/dehydrated-device.ts';
import { callersAccount } from './own-devices.ts';

/** Deletes the dehydrated device of the caller with its keys (behaviour.md 14.3). */
export async function deleteDehydratedDevice(deps: Deps, context: HandlerContext) {
  const account = await callersAccount(deps, context);
  const { device_id: deviceId, key_ring } = await existingDehydratedDevice(deps, account);
  await removeDehydratedDevice(deps, account._id, (device) => device.key_ring === key_ring);
  deps.bus.notify(accountTopic(account._id));
  return { deviceId };
}
