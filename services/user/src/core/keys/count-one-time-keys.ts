import type { Deps } from '../deps.ts';
import { MAX_ONE_TIME_KEYS } from '../model/one-time-key.ts';
import type { KeyedDevice } from './change-device-keys.ts';

/** Clients take the absence of this algorithm for not knowing how many there are. */
const USUAL_ALGORITHM = 'signed_curve25519';

/** How many one-time keys a device has of each algorithm; of the usual one also if there are none. */
export async function countOneTimeKeys(
  deps: Pick<Deps, 'oneTimeKeys'>,
  { key_ring }: Pick<KeyedDevice, 'key_ring'>,
): Promise<Record<string, bigint>> {
  const counts = new Map([[USUAL_ALGORITHM, 0n]]);
  const keys = deps.oneTimeKeys.find(
    { key_ring },
    { projection: { algorithm: 1 }, limit: MAX_ONE_TIME_KEYS },
  );
  for await (const { algorithm } of keys) counts.set(algorithm, (counts.get(algorithm) ?? 0n) + 1n);
  return Object.fromEntries(counts);
}
