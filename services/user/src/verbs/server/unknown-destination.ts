import { refuse } from '@steward/errors';

/**
 * Refuses every request about a destination.
 *
 * @throws refuse.notFound always: there are no destinations
 */
export function unknownDestination(): never {
  throw refuse.notFound('Unknown destination');
}
