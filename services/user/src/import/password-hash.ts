import { isBcryptHash, MAX_BCRYPT_COST, MIN_BCRYPT_COST } from '@steward/kernel';
import type { ImportedPassword } from '@steward/proto/steward/user/v1/import_pb.ts';
import { PASSWORD_SCHEMES, passwordHashText, readPasswordHash } from '../core/model/password-hash.ts';

/** The text of an Argon2 hash: kind, version, costs, salt and hash. */
const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=(?<memory>\d{1,9}),t=(?<passes>\d{1,5}),p=(?<lanes>\d{1,3})\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<hash>[A-Za-z0-9+/]{14,86})$/;

/** The highest costs, because each login with the password pays them: 1 GiB of memory, in KiB, 64 passes and lanes. */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 64;
const MAX_LANES = 64;

/** The memory of one lane, in KiB. */
const MIN_MEMORY_KIB = 8;

/**
 * The stored form of an imported password, see `readPasswordHash`, or a problem.
 *
 * @param peppers the names in `passwords.peppers`
 */
export function importedPassword(
  { scheme, hash, pepper }: Pick<ImportedPassword, 'scheme' | 'hash' | 'pepper'>,
  peppers: ReadonlySet<string>,
): { readonly stored: string } | { readonly problem: string } {
  if (scheme === 'argon2') {
    if (pepper !== undefined) return { problem: 'password.pepper must be absent with the scheme argon2' };
    return isArgon2(hash) ? { stored: hash } : { problem: 'password.hash is not an Argon2 hash' };
  }
  if (scheme !== 'bcrypt')
    return { problem: `password.scheme must be one of ${PASSWORD_SCHEMES.join(', ')}` };
  const stored = passwordHashText({ scheme, hash, pepper });
  if (!isBcryptHash(hash) || readPasswordHash(stored).scheme !== 'bcrypt')
    return {
      problem: `password.hash is not a bcrypt hash with a cost of ${MIN_BCRYPT_COST} to ${MAX_BCRYPT_COST}`,
    };
  if (pepper !== undefined && !peppers.has(pepper))
    return { problem: `password.pepper: passwords.peppers of the settings has no '${pepper}'` };
  return { stored };
}

/** Whether a text is an Argon2 hash that a password can be compared with. */
export function isArgon2(text: string): boolean {
  const { memory, passes, lanes, salt = '', hash = '' } = ARGON2.exec(text)?.groups ?? {};
  const costs = [Number(memory), Number(passes), Number(lanes)] as const;
  const [memoryKib, passCount, laneCount] = costs;
  if (!costs.every((cost) => cost >= 1)) return false;
  if (memoryKib > MAX_MEMORY_KIB || passCount > MAX_PASSES || laneCount > MAX_LANES) return false;
  return memoryKib >= MIN_MEMORY_KIB * laneCount && isUnpadded(salt) && isUnpadded(hash);
}

/** Base64 without padding never has one character more than a multiple of four. */
function isUnpadded(text: string): boolean {
  return text.length % 4 !== 1;
}
