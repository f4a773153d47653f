import { declareCollection, firstId } from '@steward/store';
import { PROVIDER_SESSION_INDEXES, type ProviderSession } from './provider-session.ts';

/** A device of an account. */
export interface Device extends Partial<ProviderSession> {
  /** See `deviceKey`. */
  _id: string;
  user_id: string;
  device_id: string;
  display_name: string | null;
  last_seen_ip: string | null;
  last_seen_user_agent: string | null;
  /** Milliseconds since the Unix epoch; null when never seen. */
  last_seen_ts: number | null;
  /** The account's session epoch in which it last logged in. */
  epoch: number;
  /** The version of the slot that published it as a dehydrated device; absent for any other device. */
  dehydrated?: number;
  /** How many logins have reached it; absent until the first one. */
  logins?: number;
  /**
   * Identifies the one-time keys that belong to it; absent until its first keys. The keys of an earlier device
   * with the same id have another ring.
   */
  key_ring?: string;
  /** Rises with each change of the keys below. */
  keys_version?: number;
  /** Its identity keys in canonical JSON, without `unsigned`; absent until they are uploaded. */
  device_keys?: string;
  /** The signatures of the user's other keys over `device_keys`, as a JSON object by key id. */
  cross_signatures?: string;
  /** One for each algorithm at most. */
  fallback_keys?: readonly FallbackKey[];
  /** The names of the fallback keys that were handed out. */
  used_fallback_keys?: readonly string[];
}

/** The key that is handed out, as often as needed, when the one-time keys of its algorithm are used up. */
export interface FallbackKey {
  /** `<algorithm>:<id>`. */
  name: string;
  /** Canonical JSON: a string or an object. */
  key: string;
}

/** The characters of a generated device id. */
export const DEVICE_ID_LENGTH = 10;

/**
 * The key of a device's document. A server name holds no space, so the first one after the user id's colon
 * separates the two parts, whatever characters they hold.
 */
export function deviceKey(userId: string, deviceId: string): string {
  return `${userId} ${deviceId}`;
}

/** Whether it is a dehydrated device (MSC3814). */
export function isDehydrated({ dehydrated }: Pick<Device, 'dehydrated'>): boolean {
  return dehydrated !== undefined;
}

/** Devices, by account. */
export const devices = declareCollection<Device>({
  name: 'user.devices',
  whileLoading: [],
  shardKey: 'user_id',
  shardKeyOfId: firstId,
  indexes: [
    ...PROVIDER_SESSION_INDEXES,
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_epoch',
      keys: [
        ['user_id', 1],
        ['epoch', 1],
      ],
    },
  ],
});
