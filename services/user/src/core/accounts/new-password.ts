import type { Account } from '../model/account.ts';
import type { RightsLimit } from '../model/rights-limit.ts';

/** A password as an account stores it, before it is known which account that is. */
export interface NewPassword {
  readonly hash: string;
  /** See `limitOfPassword`. */
  readonly limit: RightsLimit;
}

/** The fields of an account with a new password. An account without a limit keeps the document that it has without this field. */
export function withPassword(
  account: Pick<Account, 'password_limit'>,
  { hash, limit }: NewPassword,
): Pick<Account, 'password_hash' | 'password_limit'> {
  return { password_hash: hash, ...(limit || account.password_limit ? { password_limit: limit } : {}) };
}
