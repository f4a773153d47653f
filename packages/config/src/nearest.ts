import { distance } from 'fastest-levenshtein';

/** The share of a word's letters that a misspelling may get wrong: one in this many. */
const LETTERS_PER_MISTAKE = 3;

/**
 * The candidate that `word` was probably meant to be, by edit distance; the first of equals, and
 * `undefined` when none is near enough.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / LETTERS_PER_MISTAKE)) + 1;
  for (const candidate of candidates) {
    const count = mistakes(lower, candidate.toLowerCase());
    if (count < fewest) {
      best = candidate;
      fewest = count;
    }
  }
  return best;
}

/** The edit distance; letters in another order, as in `prot` for `port`, are one mistake and not two edits. */
function mistakes(word: string, candidate: string): number {
  const edits = distance(word, candidate);
  return edits > 1 && sorted(word) === sorted(candidate) ? edits - 1 : edits;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}
