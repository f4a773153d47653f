import { refuse } from '@steward/errors';
import { parseUserId, type UserId } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { accountAggregate } from './account-aggregate.ts';

/** @throws refuse.invalidParam when the id is not a user id */
export function parseOrRefuse(id: string): UserId {
  const parsed = parseUserId(id);
  if (!parsed) throw refuse.invalidParam('Not a user id');
  return parsed;
}

/** @throws refuse.unknown when the user belongs to another server */
export function requireLocal(deps: Deps, user: UserId): void {
  if (user.domain !== deps.serverName) throw notOfThisServer();
}

/**
 * As `requireLocal`, for methods that do not check the form of the id first: a malformed one belongs to no server
 * (behaviour.md 0.8, "suffix check").
 *
 * @throws refuse.unknown
 */
export function requireLocalSuffix(deps: Deps, id: string): void {
  const colon = id.indexOf(':');
  if (colon < 0 || id.slice(colon + 1) !== deps.serverName) throw notOfThisServer();
}

/** The checks that most methods start with: the id is well-formed, and of this server (behaviour.md 0.8). */
export function localUser(deps: Deps, id: string): UserId {
  const user = parseOrRefuse(id);
  requireLocal(deps, user);
  return user;
}

/**
 * A local account that exists.
 *
 * @throws refuse.notFound
 */
export async function existingAccount(deps: Deps, id: string): Promise<Account> {
  localUser(deps, id);
  const account = await accountAggregate.load(deps, id);
  if (!account) throw refuse.notFound('User not found');
  return account;
}

function notOfThisServer(): Error {
  return refuse.unknown('This works with users of this server only');
}
