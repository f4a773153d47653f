import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import type { FallbackKey } from './device.ts';

/**
 * A device without a session (MSC3814). Its keys are published like those of other devices, and its private keys are
 * stored encrypted, so that a later login of the user can become the device.
 */
export interface DehydratedDevice {
  device_id: string;
  /** See `Device.key_ring`. */
  key_ring: string;
  /** The account's session epoch in which it was stored. */
  epoch: number;
  display_name: string | null;
  /** The encrypted private keys: a JSON object. */
  device_data: string;
  /** See `Device.device_keys`. */
  device_keys: string;
  fallback_keys: readonly FallbackKey[];
}

/**
 * Holds the dehydrated device of a user, or none. The document is the aggregate: one commit replaces or removes the
 * device, and its effect makes `devices` agree. It is never deleted, so that its version never repeats.
 */
export interface DehydratedDeviceSlot extends Aggregate {
  /** The user id. */
  _id: string;
  version: number;
  pending?: readonly PendingEffect[];
  /** Null after its removal. */
  device: DehydratedDevice | null;
}

/** Dehydrated devices, by user id. */
export const dehydratedDevices = declareAggregate<DehydratedDeviceSlot>({
  name: 'user.dehydrated_devices',
  shardKey: '_id',
  indexes: [],
});
