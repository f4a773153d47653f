import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
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
  /** Whether the client can repeat it with the use that it holds. */
  readonly repeatable: boolean;
  /** The address of the client. */
  readonly address: string;
  readonly cause: Cause;
  /** The id of the HTTP request. */
  readonly requestId: string;
}

/**
 * Creates the account, or returns the one that an earlier run of the same session has created. The use of the
 * registration token is an effect of the creation, so it counts if and only if the account exists.
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
  // Loading the account has applied its pending effects, so a use that is still held is not needed.
  if (use) await releaseUse(deps, use);
  return existing;
}

/**
 * The account that was registered under a name with a password, as long as it has that password and none of its
 * sessions was ended. The hash is salted, so no other registration has the same one.
 */
export async function registeredAccount(
  deps: Deps,
  userId: string,
  passwordHash: string | null,
): Promise<Account | undefined> {
  const account = await accountAggregate.load(deps, userId);
  const isFirst = account?.password_hash === passwordHash && account.sessions.epoch === 0;
  return passwordHash !== null && isFirst ? account : undefined;
}

async function create(deps: Deps, registration: Authenticated): Promise<Account> {
  const { userId, passwordHash, use, address, cause, requestId } = registration;
  const username = userId.slice(1, userId.indexOf(':'));
  const effects = [
    ...(use ? [{ kind: 'registration_token_used', ...use } as const] : []),
    { kind: 'event', event: 'created', actor: userId, request_id: requestId } as const,
  ];
  deps.limits.registration.take(address);
  try {
    const init = {
      username,
      displayname: username,
      password_hash: passwordHash,
      awaits_approval: deps.settings.approvalRequired,
    };
    return await registerAccount(deps, init, cause, effects);
  } catch (error) {
    deps.limits.registration.giveBack(address);
    throw error;
  }
}
