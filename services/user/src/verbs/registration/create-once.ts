import { loadAccount } from '../../core/accounts/load-account.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import type { Cause } from '../../core/model/cause.ts';
import { releaseUse, type TokenUse } from '../../core/registration-tokens/hold-use.ts';
import { registerAccount } from './register-account.ts';

/** A registration whose authentication is complete. */
export interface Authenticated {
  /** The account to create. */
  readonly userId: string;
  readonly passwordHash: string | null;
  /** The use of a registration token that it holds. */
  readonly use: TokenUse | undefined;
  /** Whether it can be tried again with the use that it holds. */
  readonly repeatable: boolean;
  /** From where it is asked for. */
  readonly address: string;
  readonly cause: Cause;
}

/**
 * Creates the account, or recognises the one that an earlier run of the same session has created. That
 * the registration token was used is owed by the account, so it counts if and only if there is one.
 *
 * @throws limitExceeded, refuse.invalidUsername or refuse.userInUse
 */
export async function createOnce(deps: Deps, registration: Authenticated): Promise<Account> {
  const { userId, passwordHash, use, repeatable } = registration;
  const existing = await registeredAccount(deps, userId, passwordHash);
  try {
    if (!existing) return await create(deps, registration);
  } catch (error) {
    const other = await registeredAccount(deps, userId, passwordHash);
    if (use && (other || !repeatable)) await releaseUse(deps, use);
    if (other) return other;
    throw error;
  }
  // The account has settled what it owed, so a use that is held all the same is held for nothing.
  if (use) await releaseUse(deps, use);
  return existing;
}

/**
 * The account that was registered under a name with a password, as long as it has that password and all
 * its sessions: nobody else has the password's hash.
 */
export async function registeredAccount(
  deps: Deps,
  userId: string,
  passwordHash: string | null,
): Promise<Account | undefined> {
  const account = await loadAccount(deps, userId);
  const isFirst = account?.password_hash === passwordHash && account.sessions.epoch === 0;
  return passwordHash !== null && isFirst ? account : undefined;
}

async function create(deps: Deps, registration: Authenticated): Promise<Account> {
  const { userId, passwordHash, use, address, cause } = registration;
  const username = userId.slice(1, userId.indexOf(':'));
  const debts = use ? [{ kind: 'registration_token_used', ...use } as const] : [];
  deps.limits.registration.take(address);
  try {
    const init = { username, displayname: username, password_hash: passwordHash };
    return await registerAccount(deps, init, cause, debts);
  } catch (error) {
    deps.limits.registration.giveBack(address);
    throw error;
  }
}
