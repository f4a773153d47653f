import { translateError, wasDeadlocked, wasUndone } from '../translate/translate-error.ts';
import type { Engine } from './engine.ts';

/** The most attempts at an operation that the server undoes each time; after that the store counts as overloaded. */
const MAX_ATTEMPTS = 8;
/** The longest pause before the second attempt, in milliseconds; it doubles with each attempt. */
const FIRST_PAUSE_MS = 20;
/** The longest pause after any attempt, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;
/**
 * The longest pause after a deadlock, in milliseconds. PostgreSQL takes a second to find one, and undoes the operations of many one by
 * one: what comes back before the others are through makes the next deadlock.
 */
const DEADLOCK_PAUSE_MS = 3_000;

/**
 * Runs an operation if the store is open, and throws the errors of the port in place of the driver's. Repeats an
 * operation that the server undid in favour of another one, after a growing random pause: operations that were undone
 * together must not meet again.
 *
 * @param violable the unique indexes that the operation can violate
 */
export async function runOperation<R>(
  { inFlight, random }: Pick<Engine, 'inFlight' | 'random'>,
  operation: () => Promise<R>,
  violable: () => readonly string[],
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inFlight.run(operation);
    } catch (error) {
      if (wasUndone(error) && attempt < MAX_ATTEMPTS) {
        const growingMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
        const ceilingMs = wasDeadlocked(error) ? DEADLOCK_PAUSE_MS : growingMs;
        await new Promise((resolve) => setTimeout(resolve, 1 + random.below(ceilingMs)));
        continue;
      }
      throw translateError(error, violable());
    }
  }
}
