import { refuse } from '@steward/errors';
import { BusUnavailable } from '@steward/events';

/** Returns the result of a call of the bus; refuses the caller as unavailable when the broker is unreachable. */
export async function orUnavailable<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BusUnavailable
      ? refuse.unavailable('The broker is not available; try again')
      : error;
  }
}
