import { refuse } from '@steward/errors';
import { Conflict, Unavailable } from '@steward/store';

/**
 * Converts errors of the store to refusals. The caller should retry when the engine is unavailable, and when
 * concurrent commits to one document conflict again and again. A conflict on a unique index is not converted: a
 * handler that does not expect one is faulty, and would meet the same conflict again.
 */
export function fromStore(error: unknown): unknown {
  if (error instanceof Unavailable) return refuse.unavailable('The store is not available; try again');
  if (error instanceof Conflict && error.index === 'version')
    return refuse.unavailable('The object is being changed concurrently; try again');
  return error;
}
