import { refuse } from '@steward/errors';

/**
 * Would remove one of the caller's own addresses.
 *
 * @throws refuse.forbiddenRequest always: administrators alone give addresses and take them
 */
export async function deleteOwnThreepid(): Promise<never> {
  throw refuse.forbiddenRequest('Addresses are changed by the administrators of this server');
}
