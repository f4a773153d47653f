import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { algorithmOf, type OneTimeKey, oneTimeKeyId } from '../model/one-time-key.ts';
import type { NamedKey } from './read-keys.ts';

/** The number of one-time keys that are written together. */
const BATCH = 250;

/** The device that one-time keys belong to. */
type Owner = Pick<OneTimeKey, 'user_id' | 'device_id' | 'key_ring' | 'epoch'>;

/**
 * Inserts one-time keys of a device.
 *
 * @returns whether all names were new; existing keys stay as they are
 */
export async function storeOneTimeKeys(
  deps: Pick<Deps, 'oneTimeKeys' | 'clock'>,
  { user_id, device_id, key_ring, epoch }: Owner,
  keys: readonly NamedKey[],
): Promise<boolean> {
  const uploaded_ts = deps.clock.now();
  const added = keys.map(({ name, key }): OneTimeKey => {
    const _id = oneTimeKeyId(key_ring, name);
    return { _id, user_id, device_id, key_ring, epoch, algorithm: algorithmOf(name), name, key, uploaded_ts };
  });
  let allNew = true;
  for (let start = 0; start < added.length; start += BATCH) {
    try {
      await deps.oneTimeKeys.insertMany(added.slice(start, start + BATCH), { ordered: false });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      allNew = false;
    }
  }
  return allNew;
}
