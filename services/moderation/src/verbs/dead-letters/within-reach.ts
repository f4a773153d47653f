import { refuse } from '@steward/errors';
import { BusUnavailable } from '@steward/events';

/** Asks the bus. When its broker is away, the caller is refused as unavailable. */
export async function withinReach<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BusUnavailable
      ? refuse.unavailable('The broker is not available at present')
      : error;
  }
}
