import { declareCollection, firstId } from '@steward/store';

/** How many one-time keys a device may have; clients keep 50 to 100. */
export const MAX_ONE_TIME_KEYS = 1_000;

/** A key with which a client begins one encrypted session with a device; handed out once. */
export interface OneTimeKey {
  /** See `oneTimeKeyId`. */
  _id: string;
  user_id: string;
  /**
   * Null for a dehydrated device, whose keys are removed by `key_ring`: the removal of an earlier device with its id
   * must not remove keys that are stored before their device.
   */
  device_id: string | null;
  /** The key ring of the device, see `Device.key_ring`. */
  key_ring: string;
  /** The session epoch of the device when it was uploaded. */
  epoch: number;
  /** For example `signed_curve25519`. */
  algorithm: string;
  /** `<algorithm>:<id>`. */
  name: string;
  /** Canonical JSON: a string or an object. */
  key: string;
  /** Milliseconds since the Unix epoch; the oldest one is handed out first. */
  uploaded_ts: number;
}

/** The key of a one-time key's document. A key ring's name holds no space. */
export function oneTimeKeyId(keyRing: string, name: string): string {
  return `${keyRing} ${name}`;
}

/** The algorithm in the name of a one-time or fallback key. */
export function algorithmOf(name: string): string {
  return name.slice(0, name.indexOf(':'));
}

/** One-time keys, by device. */
export const oneTimeKeys = declareCollection<OneTimeKey>({
  name: 'user.one_time_keys',
  shardKey: 'key_ring',
  shardKeyOfId: firstId,
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_algorithm',
      keys: [
        ['key_ring', 1],
        ['algorithm', 1],
        ['uploaded_ts', 1],
      ],
    },
  ],
});
