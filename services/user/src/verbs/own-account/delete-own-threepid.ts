import { refuse } from '@steward/errors';

/**
 * Refuses to remove one of the caller's own addresses.
 *
 * @throws refuse.forbiddenRequest always: only administrators add and remove addresses
 */
export async function deleteOwnThreepid(): Promise<never> {
  throw refuse.forbiddenRequest('Addresses are changed by the administrators of this server');
}
