import { refuse } from '@steward/errors';
import type { Account } from '../../core/model/account.ts';
import { MAX_PASSKEYS } from '../../core/model/passkey.ts';

/** @throws refuse.tooLate when an account has as many passkeys as it can have */
export function requireRoom({ passkeys = [] }: Pick<Account, 'passkeys'>): void {
  if (passkeys.length >= MAX_PASSKEYS)
    throw refuse.tooLate(`An account has at most ${MAX_PASSKEYS} passkeys: remove one first`);
}
