import type { Deps } from '../deps.ts';

/**
 * Whether a password matches a hash. Failures count for `key`; after too many, no password is checked
 * (client-plane.md 9). An attempt counts from its start, and a match gives the count back, so that concurrent
 * guesses are limited like consecutive ones.
 *
 * @throws limitExceeded
 */
export async function tryPassword(
  deps: Deps,
  key: string,
  hash: string | null,
  password: string,
): Promise<boolean> {
  deps.limits.loginFailed.take(key);
  const matches = await deps.passwords.verify(hash, password);
  if (matches) deps.limits.loginFailed.giveBack(key);
  return matches;
}
