import { Unavailable } from '../../port/errors.ts';

/** An `Unavailable` for a transaction that failed. */
export function asUnavailable(error: unknown): Unavailable {
  return new Unavailable('The store could not complete the operation', { cause: error });
}
