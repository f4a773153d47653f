import { refuse } from '@steward/errors';
import { type AggregateDeps, defineAggregate, type NewEffect, type PendingEffect } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type AnnounceDeps, announceKeyChange } from '../key-changes/key-change-stream.ts';
import type { Account } from '../model/account.ts';
import type { DehydratedDevice, DehydratedDeviceSlot } from '../model/dehydrated-device.ts';
import { type Device, deviceKey } from '../model/device.ts';

/** The dependencies of the functions below. */
export type DehydratedDeps = AggregateDeps &
  AnnounceDeps &
  Pick<Deps, 'dehydratedDevices' | 'devices' | 'oneTimeKeys' | 'deviceMessages' | 'deviceQueues'>;

/** The pending effect of a change: `devices` has yet to agree with the slot. */
interface SlotChanged extends PendingEffect {
  readonly kind: 'changed';
  /** The key ring of the device that the change replaced or removed: its one-time keys have yet to be deleted. */
  readonly key_ring?: string;
}

/** The effect of a change that replaces or removes `previous`. */
function changed(previous: DehydratedDevice | null): NewEffect<SlotChanged> {
  return { kind: 'changed', ...(previous ? { key_ring: previous.key_ring } : {}) };
}

/** The aggregate that holds the dehydrated device of a user. */
export const dehydratedAggregate = defineAggregate<DehydratedDeviceSlot, SlotChanged, DehydratedDeps>({
  collection: (deps) => deps.dehydratedDevices,
  effects: {
    async changed(deps, slot, effects) {
      const ended = effects.flatMap(({ key_ring }) => key_ring ?? []);
      await deps.oneTimeKeys.deleteMany({ key_ring: { $in: ended } });
      await publish(deps, slot);
      await announceKeyChange(deps, slot._id);
      // Until its device is gone, messages for it are still accepted.
      await deps.deviceMessages.deleteMany({ queue: { $in: ended } });
      await deps.deviceQueues.deleteMany({ _id: { $in: ended } });
    },
  },
});

/**
 * Stores a dehydrated device in place of the user's previous one, in one commit. Its one-time keys must have been
 * stored before: its effect publishes the device, from when on they are handed out.
 */
export async function setDehydratedDevice(
  deps: DehydratedDeps,
  userId: string,
  device: DehydratedDevice,
): Promise<void> {
  const replace = () =>
    dehydratedAggregate.change(deps, userId, ({ device: previous }) => ({
      set: { device },
      effects: [changed(previous)],
    }));
  if (await replace()) return;
  try {
    await dehydratedAggregate.create(deps, { _id: userId, version: 1, device }, [changed(null)]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // A concurrent request has created the slot.
    await replace();
  }
}

/** Removes the dehydrated device of a user with its keys and data if it matches. */
export async function removeDehydratedDevice(
  deps: DehydratedDeps,
  userId: string,
  matches: (device: DehydratedDevice) => boolean,
): Promise<void> {
  await dehydratedAggregate.change(deps, userId, ({ device }) =>
    device && matches(device) ? { set: { device: null }, effects: [changed(device)] } : undefined,
  );
}

/**
 * The dehydrated device of an account.
 *
 * @throws refuse.notFound when there is none
 */
export async function existingDehydratedDevice(
  deps: DehydratedDeps,
  { _id: userId, sessions }: Account,
): Promise<DehydratedDevice> {
  for (;;) {
    const slot = await dehydratedAggregate.load(deps, userId);
    if (!slot?.device || slot.device.epoch < sessions.epoch) break;
    const { version, device } = slot;
    const _id = deviceKey(userId, device.device_id);
    if (await deps.devices.findOne({ _id, dehydrated: version }, { projection: { _id: 1 } })) return device;
    // A concurrent request may have replaced it since.
    if ((await versionOf(deps, userId)) === version) break;
  }
  throw refuse.notFound('There is no dehydrated device');
}

/**
 * Makes `devices` agree with a slot. A process may do so late, when a later change has been published: it then removes
 * only what is older than its own change.
 */
async function publish(deps: DehydratedDeps, { _id: userId, version, device }: DehydratedDeviceSlot) {
  if (!device) return removeEarlier(deps, userId, version);
  const published = publishedDevice(userId, version, device);
  do {
    await removeEarlier(deps, userId, version);
    try {
      await deps.devices.insertOne(published);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
    // After a conflict it is published already, or another device has the id, or a late process has just published an
    // earlier one with the id.
  } while (await hasEarlier(deps, published, version));
  const current = await versionOf(deps, userId);
  if (current > version) await removeEarlier(deps, userId, current);
}

async function hasEarlier(deps: DehydratedDeps, { _id }: Device, version: number): Promise<boolean> {
  const earlier = { _id, dehydrated: { $lt: version } };
  return (await deps.devices.findOne(earlier, { projection: { _id: 1 } })) !== null;
}

/** The version of the slot of a user; 0 if there is none. */
async function versionOf(deps: DehydratedDeps, userId: string): Promise<number> {
  const slot = await deps.dehydratedDevices.findOne({ _id: userId }, { projection: { version: 1 } });
  return slot?.version ?? 0;
}

/** Removes the user's dehydrated devices that were published before a version of the slot. */
async function removeEarlier(deps: DehydratedDeps, userId: string, version: number): Promise<void> {
  await deps.devices.deleteMany({ user_id: userId, dehydrated: { $lt: version } });
}

function publishedDevice(userId: string, version: number, device: DehydratedDevice): Device {
  const { device_id, display_name, epoch, key_ring, device_keys, fallback_keys } = device;
  return {
    _id: deviceKey(userId, device_id),
    user_id: userId,
    device_id,
    display_name,
    last_seen_ip: null,
    last_seen_user_agent: null,
    last_seen_ts: null,
    epoch,
    dehydrated: version,
    key_ring,
    device_keys,
    fallback_keys,
  };
}
