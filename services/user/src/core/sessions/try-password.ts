import type { Deps } from '../deps.ts';

/**
 * Whether a password matches. Failures count for `key`; after too many, no password is checked (client-plane.md 9). An
 * attempt counts from its start, and is given back unless the password is wrong, so that concurrent guesses are limited
 * like consecutive ones.
 *
 * @throws limitExceeded
 */
export async function tryPassword(
  { limits }: Pick<Deps, 'limits'>,
  key: string,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  limits.loginFailed.take(key);
  return giveBackUnlessWrong(() => limits.loginFailed.giveBack(key), verify);
}

/** Whether a password matches; gives back what was counted for the attempt unless the password is wrong. */
export async function giveBackUnlessWrong(
  giveBack: () => void,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  let isWrong = false;
  try {
    const matches = await verify();
    isWrong = !matches;
    return matches;
  } finally {
    if (!isWrong) giveBack();
  }
}
