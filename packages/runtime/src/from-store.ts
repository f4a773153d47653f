import { refuse } from '@steward/errors';
import { Conflict, Unavailable } from '@steward/store';

/** What the store's errors mean for a caller: that trying again later is right. */
export function fromStore(error: unknown): unknown {
  if (error instanceof Unavailable) return refuse.unavailable('The store is not available at present');
  if (error instanceof Conflict) return refuse.unavailable('Others change the same thing at present');
  return error;
}
