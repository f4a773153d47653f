import { refuse } from '@steward/errors';
import { parseObject } from '../../core/keys/signed-object.ts';

/** The longest auth data of a backup, in bytes; clients need some hundreds. */
const MAX_AUTH_DATA_BYTES = 64 * 1024;

/**
 * The data that the algorithm of a backup needs, as JSON text.
 *
 * @throws refuse.badJson when it is not an object, refuse.tooLong
 */
export function readAuthData(text: string): string {
  if (!parseObject(text)) throw refuse.badJson("'auth_data' must be an object");
  if (Buffer.byteLength(text) > MAX_AUTH_DATA_BYTES)
    throw refuse.tooLong(`'auth_data' has more than ${MAX_AUTH_DATA_BYTES} bytes`);
  return text;
}
