import { randomId } from '@steward/kernel';
import { Conflict, retryOnConflict, type Update } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Device } from '../model/device.ts';

/** A device that has a key ring. */
export type KeyedDevice = Device & { readonly key_ring: string };

/** Returns a device, to which it gives a key ring unless it has one; `undefined` when there is no such device. */
export async function withKeyRing(deps: Deps, id: string): Promise<KeyedDevice | undefined> {
  let device = await deps.devices.findOne({ _id: id });
  if (device && !isKeyed(device)) {
    await deps.devices.updateOne({ _id: id, key_ring: null }, { $set: { key_ring: randomId(deps.random) } });
    device = await deps.devices.findOne({ _id: id });
  }
  return device && isKeyed(device) ? device : undefined;
}

/** Whether a device has ever had keys. */
export function isKeyed(device: Device): device is KeyedDevice {
  return device.key_ring !== undefined;
}

/**
 * Changes the keys of a device in one write. They are part of its document, so none outlives the device. `decide`
 * gets the current device, runs again when a concurrent change was faster, and returns `undefined` for no change.
 *
 * @returns the device as `decide` last got it; `undefined` when it was deleted, even if a new device has its id
 */
export function changeDeviceKeys(
  deps: Deps,
  { _id, key_ring }: Pick<KeyedDevice, '_id' | 'key_ring'>,
  decide: (device: Device) => Pick<Update<Device>, '$set' | '$unset' | '$addToSet'> | undefined,
): Promise<Device | undefined> {
  return retryOnConflict(async () => {
    const device = await deps.devices.findOne({ _id, key_ring });
    if (!device) return undefined;
    const update = decide(device);
    if (!update) return device;
    const { matchedCount } = await deps.devices.updateOne(
      { _id, key_ring, keys_version: device.keys_version ?? null },
      { ...update, $inc: { keys_version: 1 } },
    );
    if (matchedCount === 0) throw new Conflict('version');
    return device;
  }, deps);
}
