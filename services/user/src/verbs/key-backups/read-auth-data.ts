import { refuse } from '@steward/errors';
import { parseObject } from '../../core/keys/signed-object.ts';

/** The most that a backup's data may have, in bytes; clients need some hundreds. */
const MAX_AUTH_DATA_BYTES = 64 * 1024;

/**
 * What the algorithm of a backup needs to know, as JSON text.
 *
 * @throws refuse.badJson when it is no object, refuse.tooLong
 */
export function readAuthData(text: string): string {
  if (!parseObject(text)) throw refuse.badJson("'auth_data' must be an object");
  if (Buffer.byteLength(text) > MAX_AUTH_DATA_BYTES)
    throw refuse.tooLong(`'auth_data' has more than ${MAX_AUTH_DATA_BYTES} bytes`);
  return text;
}
