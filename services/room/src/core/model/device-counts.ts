import { LRUCache } from 'lru-cache';

/** The most rooms whose devices are remembered. */
const MAX_ROOMS = 1_000;

/** The number of devices of the joined members of a room, and what it depends on. */
export interface KnownDevices {
  readonly devices: number;
  /** See `Room`: the members were read when the room had this value, or later. */
  readonly localJoins: number | undefined;
  /** See `DeviceCount`. */
  readonly revision: bigint;
}

/** Remembers the numbers of devices of the joined members of rooms, by room id. */
export type DeviceCounts = LRUCache<string, KnownDevices>;

/** Creates an empty memory. */
export function createDeviceCounts(): DeviceCounts {
  return new LRUCache({ max: MAX_ROOMS });
}
