/** Of a word's letters, the share that a misspelling may get wrong: one in this many. */
const LETTERS_PER_MISTAKE = 3;

/**
 * The candidate that `word` was probably meant to be, by edit distance; the first of equals, and
 * `undefined` when none is near enough.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / LETTERS_PER_MISTAKE)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters put in, left out, replaced, and neighbours swapped (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(above, j - 2) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    above = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
