/** A key with which somebody begins one encrypted session with a device; handed out once. */
export interface OneTimeKey {
  /** See `oneTimeKeyId`. */
  _id: string;
  user_id: string;
  device_id: string;
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
