import { monthlyUsersExceeded } from '@steward/errors';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';

/**
 * Refuses a user beyond the limit of monthly active users, who may only read and leave (client-plane.md 8.4).
 *
 * @throws monthlyUsersExceeded
 */
export function refuseOverLimit(
  { settings }: Pick<Deps, 'settings'>,
  { overMonthlyLimit }: Pick<Requester, 'overMonthlyLimit'>,
): void {
  if (overMonthlyLimit) throw monthlyUsersExceeded(settings.adminContact);
}
