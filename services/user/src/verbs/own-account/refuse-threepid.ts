import { refuse } from '@steward/errors';

/**
 * Refuses to add or to confirm an address.
 *
 * @throws refuse.threepidMediumNotSupported always: the server sends neither mail nor text messages
 */
export async function refuseThreepid(): Promise<never> {
  throw refuse.threepidMediumNotSupported('This server does not confirm addresses');
}
