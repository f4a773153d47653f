import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import { refuseReservedName } from '../server-accounts/server-account.ts';

const GRAMMAR = /^[a-z0-9_\-./=+]*$/;
const ONLY_DIGITS = /^[0-9]+$/;

/** The longest user id, in bytes, `@` and server name included. */
const USER_ID_MAX_BYTES = 255;

/**
 * Refuses a localpart that no new account may have, in the documented order (behaviour.md 2.15).
 *
 * @throws refuse.invalidUsername or refuse.userInUse
 */
export async function checkUsername(deps: Deps, localpart: string): Promise<void> {
  if (!GRAMMAR.test(localpart)) {
    throw refuse.invalidUsername('User names hold only the characters a-z, 0-9 and _-./=+');
  }
  if (localpart === '') throw refuse.invalidUsername('A user name must not be empty');
  if (localpart.startsWith('_')) throw refuse.invalidUsername('User names must not begin with _');
  const userId = formatUserId(localpart, deps.serverName);
  if (Buffer.byteLength(userId) > USER_ID_MAX_BYTES) {
    throw refuse.invalidUsername(`A user id must not be longer than ${USER_ID_MAX_BYTES} bytes`);
  }
  refuseReservedName(deps, localpart);
  const taken = await deps.accounts.findOne({ folded_id: userId.toLowerCase() }, { projection: { _id: 1 } });
  if (taken) throw refuse.userInUse('This user name is taken');
  if (ONLY_DIGITS.test(localpart)) {
    throw refuse.invalidUsername('User names of digits only are reserved for guests');
  }
}
