/** How `JSON.stringify` writes half a surrogate pair, if the backslash is not itself escaped. */
const MAYBE_LONE_SURROGATE = /\\ud[89a-f]/;

/** The text of a value, in which halves of surrogate pairs are U+FFFD, as in every UTF-8 text. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!MAYBE_LONE_SURROGATE.test(text)) return text;
  return JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? inner.toWellFormed() : inner));
}
