import { refuse } from '@steward/errors';
import { MAX_NAME_BYTES } from '../model/account-data.ts';

/**
 * Checks a type or a tag under which a client stores data.
 *
 * @throws refuse.invalidParam for an empty one, and for a character that no engine stores
 * @throws refuse.tooLarge for one of more than 255 bytes
 */
export function requireUsableName(name: string): string {
  if (name === '' || name.includes('\0')) throw refuse.invalidParam('The name cannot be used');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw refuse.tooLarge('The name is too long');
  return name;
}
