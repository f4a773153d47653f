import type { Deps } from '../deps.ts';

/**
 * Whether a password is the one behind a hash. Failures count for `key`: when there were too many, no
 * password is looked at (client-plane.md 9). Each try counts from its beginning, and is taken back when
 * the password was right, so that guesses at the same time are no more than guesses one by one.
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
  const right = await deps.passwords.verify(hash, password);
  if (right) deps.limits.loginFailed.giveBack(key);
  return right;
}
