import { isDeepStrictEqual } from 'node:util';
import { refuse } from '@steward/errors';
import type { FallbackKey } from '../model/device.ts';
import { algorithmOf } from '../model/one-time-key.ts';
import type { NamedKey } from './read-keys.ts';

/** How many fallback keys a device may have; clients have one. All are part of its document. */
const MAX_FALLBACK_KEYS = 16;

/**
 * The fallback keys after an upload, which replaces those of the same algorithms; an equal key stays as it is.
 *
 * @throws refuse.invalidParam when it adds too many
 */
export function replaceFallbackKeys(
  held: readonly FallbackKey[],
  uploaded: readonly NamedKey[],
): readonly FallbackKey[] {
  const keys = new Map(held.map((key) => [algorithmOf(key.name), key]));
  for (const { name, key } of uploaded) {
    const algorithm = algorithmOf(name);
    if (!isDeepStrictEqual(keys.get(algorithm), { name, key })) keys.set(algorithm, { name, key });
  }
  if (keys.size > Math.max(MAX_FALLBACK_KEYS, held.length))
    throw refuse.invalidParam(`A device has at most ${MAX_FALLBACK_KEYS} fallback keys`);
  return [...keys.values()];
}
