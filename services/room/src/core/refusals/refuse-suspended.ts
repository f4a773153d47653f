import { refuse } from '@steward/errors';
import type { Requester } from '@steward/rpc';

/**
 * Refuses a suspended account, which may only read, leave, and redact what it wrote (client-plane.md 8.4).
 *
 * @throws refuse.userSuspended
 */
export function refuseSuspended({ suspended }: Pick<Requester, 'suspended'>): void {
  if (suspended) throw refuse.userSuspended('This account is suspended');
}
