/** The options of a pattern, in which `*` always matches any number of any characters. */
export interface GlobOptions {
  /** Whether `?` matches any one character. */
  readonly questionMarks?: boolean;
}

/**
 * Whether a pattern matches a whole text. The time is at most proportional to the product of both lengths, which a
 * regular expression does not guarantee.
 */
export function matchesGlob(
  pattern: string,
  text: string,
  { questionMarks = false }: GlobOptions = {},
): boolean {
  let p = 0;
  let t = 0;
  /** The last `*`, and the position in the text at which the pattern after it was last tried. */
  let star = -1;
  let tried = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      tried = t;
    } else if (p < pattern.length && (pattern[p] === text[t] || (questionMarks && pattern[p] === '?'))) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++tried;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
