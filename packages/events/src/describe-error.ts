/** The maximum length of the error text of a dead letter, in characters. */
const MAX_ERROR_LENGTH = 1_000;

/** Returns the text of any thrown value, without its stack. */
export function describeError(error: unknown): string {
  return String(error).slice(0, MAX_ERROR_LENGTH);
}
