import type { Deps } from '../deps.ts';
import { USAGES } from '../model/cross-signing-keys.ts';
import { publicKeyOf } from './read-keys.ts';
import { parseObject } from './signed-object.ts';

/** Whether a cross-signing key of a user has this device id: signatures could not distinguish the two. */
export async function isCrossSigningKey(
  deps: Pick<Deps, 'crossSigningKeys'>,
  userId: string,
  deviceId: string,
): Promise<boolean> {
  const keys = await deps.crossSigningKeys.findOne({ _id: userId });
  return USAGES.some((usage) => {
    const key = keys?.[usage];
    return key ? publicKeyOf(parseObject(key) ?? {}) === deviceId : false;
  });
}
