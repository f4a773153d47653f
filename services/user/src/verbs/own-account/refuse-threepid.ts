import { refuse } from '@steward/errors';

/**
 * Would add an address, or have one confirmed.
 *
 * @throws refuse.threepidMediumNotSupported always: the server sends neither mail nor text messages
 */
export async function refuseThreepid(): Promise<never> {
  throw refuse.threepidMediumNotSupported('This server confirms no addresses');
}
