import type { Config } from '@steward/config';
import { refuse } from '@steward/errors';
import { passwordText } from '@steward/kernel';

/** The requirements for passwords that users choose. */
export type PasswordPolicy = Config['passwords']['policy'];

const DIGIT = /\p{Nd}/u;
const SYMBOL = /[^\p{L}\p{M}\p{N}]/u;
const UPPERCASE = /\p{Lu}/u;
const LOWERCASE = /\p{Ll}/u;

/**
 * Refuses a password that a user chooses and that is easier to guess than the policy admits (client-plane.md 7.3).
 * The passwords that administrators set are exempt.
 *
 * @throws refuse.weakPassword, or the refusal of the first requirement that is not met
 */
export function checkPassword(policy: PasswordPolicy, chosen: string): void {
  const password = passwordText(chosen);
  if (password === '') throw refuse.weakPassword('A password must not be empty');
  if ([...password].length < policy.minimum_length) {
    throw refuse.passwordTooShort(`A password has at least ${policy.minimum_length} characters`);
  }
  if (policy.require_digit && !DIGIT.test(password)) {
    throw refuse.passwordWithoutDigit('A password needs a digit');
  }
  if (policy.require_symbol && !SYMBOL.test(password)) {
    throw refuse.passwordWithoutSymbol('A password needs a character that is neither a letter nor a digit');
  }
  if (policy.require_uppercase && !UPPERCASE.test(password)) {
    throw refuse.passwordWithoutUppercase('A password needs an upper-case letter');
  }
  if (policy.require_lowercase && !LOWERCASE.test(password)) {
    throw refuse.passwordWithoutLowercase('A password needs a lower-case letter');
  }
}
