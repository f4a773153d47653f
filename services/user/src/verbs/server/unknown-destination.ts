import { refuse } from '@steward/errors';

/**
 * What is asked of one of these servers.
 *
 * @throws refuse.notFound, as none is known
 */
export function unknownDestination(): never {
  throw refuse.notFound('Unknown destination');
}
