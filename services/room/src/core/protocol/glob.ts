/** Which characters of a pattern stand for others; `*` for any number of any always does. */
export interface GlobOptions {
  /** Whether `?` stands for any one character. */
  readonly questionMarks?: boolean;
}

/**
 * Whether a text matches a pattern as a whole. Takes time in proportion to both lengths multiplied at
 * most, whatever the pattern: a regular expression would not.
 */
export function matchesGlob(
  pattern: string,
  text: string,
  { questionMarks = false }: GlobOptions = {},
): boolean {
  let p = 0;
  let t = 0;
  /** The last `*` met, and where in the text what follows it was last tried. */
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
