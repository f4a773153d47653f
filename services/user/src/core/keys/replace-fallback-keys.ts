import { isDeepStrictEqual } from 'node:util';
import type { FallbackKey } from '../model/device.ts';
import { algorithmOf } from '../model/one-time-key.ts';
import type { NamedKey } from './read-keys.ts';

/** The fallback keys after an upload, which replaces those of the same algorithms; an equal key stays as it is. */
export function replaceFallbackKeys(
  held: readonly FallbackKey[],
  uploaded: readonly NamedKey[],
): readonly FallbackKey[] {
  const keys = new Map(held.map((key) => [algorithmOf(key.name), key]));
  for (const { name, key } of uploaded) {
    const algorithm = algorithmOf(name);
    if (!isDeepStrictEqual(keys.get(algorithm), { name, key })) keys.set(algorithm, { name, key });
  }
  return [...keys.values()];
}
