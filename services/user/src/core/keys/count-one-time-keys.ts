import type { Deps } from '../deps.ts';
import { MAX_ONE_TIME_KEYS } from '../model/one-time-key.ts';
import type { KeyedDevice } from './change-device-keys.ts';

/** Clients treat a missing count of this algorithm as unknown. */
const USUAL_ALGORITHM = 'signed_curve25519';

/** The number of one-time keys of a device by algorithm; the usual one is included even when there are none. */
export async function countOneTimeKeys(
  deps: Pick<Deps, 'oneTimeKeys'>,
  { key_ring }: Pick<KeyedDevice, 'key_ring'>,
): Promise<Record<string, bigint>> {
  const counts = new Map([[USUAL_ALGORITHM, 0n]]);
  const keys = deps.oneTimeKeys.find(
    { key_ring },
    { projection: { _id: 0, algorithm: 1 }, limit: MAX_ONE_TIME_KEYS },
  );
  for await (const { algorithm } of keys) counts.set(algorithm, (counts.get(algorithm) ?? 0n) + 1n);
  return Object.fromEntries(counts);
}
