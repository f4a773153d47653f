import type { InFlight } from '../client/in-flight.ts';
import { translateError, wasUndone } from '../translate/translate-error.ts';

/** The most attempts at an operation that the server undoes each time; after that the store counts as overloaded. */
const MAX_ATTEMPTS = 8;
/** The pause before the second attempt, in milliseconds; the n-th pause is n times as long. */
const RETRY_PAUSE_MS = 10;

/**
 * Runs an operation if the store is open, and throws the errors of the port in place of the driver's. Repeats an
 * operation that the server undid in favour of another one.
 *
 * @param violable the unique indexes that the operation can violate
 */
export async function runOperation<R>(
  inFlight: InFlight,
  operation: () => Promise<R>,
  violable: () => readonly string[],
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inFlight.run(operation);
    } catch (error) {
      if (wasUndone(error) && attempt < MAX_ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_PAUSE_MS));
        continue;
      }
      throw translateError(error, violable());
    }
  }
}
