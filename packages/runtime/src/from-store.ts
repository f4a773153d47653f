import { refuse } from '@steward/errors';
import { Conflict, Unavailable } from '@steward/store';

/**
 * What the store's errors mean for a caller. Trying again later is right when the engine is away, and when others
 * commit to the same document all the time. A conflict on a unique index stays what it is: a handler that does not
 * expect one is faulty, and would meet the same conflict again.
 */
export function fromStore(error: unknown): unknown {
  if (error instanceof Unavailable) return refuse.unavailable('The store is not available at present');
  if (error instanceof Conflict && error.index === 'version')
    return refuse.unavailable('Others change the same thing at present');
  return error;
}
