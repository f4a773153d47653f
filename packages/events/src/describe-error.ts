/** The most of an error's text that is kept with a dead letter, in characters. */
const MAX_ERROR_LENGTH = 1_000;

/** The text of anything thrown, without its stack. */
export function describeError(error: unknown): string {
  return String(error).slice(0, MAX_ERROR_LENGTH);
}
