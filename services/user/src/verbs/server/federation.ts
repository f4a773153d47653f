import { refuse } from '@steward/errors';

/** The servers that events are sent to (behaviour.md 13.3): none. */
export function listDestinations() {
  return { destinations: [], total: 0n };
}

/**
 * What is asked of one of these servers.
 *
 * @throws refuse.notFound, as none is known
 */
export function unknownDestination(): never {
  throw refuse.notFound('Unknown destination');
}
