import type { Layout } from '../layout/layout.ts';
import type { Condition } from './condition.ts';

/** The shortest term, in code points, that the search index can look up. */
const SEARCHABLE_CODE_POINTS = 3;
/** The most trigrams of one term that the search index is asked for; more would hardly narrow, and cost time. */
const MAX_TRIGRAMS = 16;

/** The trigrams of the first term that the search index can look up; `undefined` when there is none. */
export function searchedTrigrams(
  { search }: Layout,
  conditions: readonly Condition[],
): readonly string[] | undefined {
  for (const condition of conditions) {
    if (condition.kind !== 'contains') continue;
    if (!condition.paths.every((path) => search?.paths.includes(path))) continue;
    const characters = [...condition.term];
    if (characters.length < SEARCHABLE_CODE_POINTS || condition.term.includes('\0')) continue;
    const trigrams = new Set(
      characters
        .slice(SEARCHABLE_CODE_POINTS - 1)
        .map((_, i) => characters.slice(i, i + SEARCHABLE_CODE_POINTS).join('')),
    );
    return [...trigrams].slice(0, MAX_TRIGRAMS);
  }
  return undefined;
}
