import type { Layout } from '../layout/layout.ts';
import type { Condition } from './condition.ts';

/** The shortest term, in code points, that the search index can look up. */
const SEARCHABLE_CODE_POINTS = 3;
/** The most trigrams of one term that the search index is asked for; more would hardly narrow, and cost time. */
const MAX_TRIGRAMS = 16;

/**
 * What the search index is asked for, each a trigram in the columns of its term, for all terms that it can look up; `undefined`
 * when there is none.
 */
export function searchedTrigrams(
  { search }: Layout,
  conditions: readonly Condition[],
): readonly string[] | undefined {
  const found = conditions.flatMap((condition) => {
    if (condition.kind !== 'contains') return [];
    const columns = condition.paths.map((path) => search?.paths.indexOf(path) ?? -1);
    if (columns.includes(-1)) return [];
    const characters = [...condition.term];
    if (characters.length < SEARCHABLE_CODE_POINTS || condition.term.includes('\0')) return [];
    const trigrams = new Set(
      characters
        .slice(SEARCHABLE_CODE_POINTS - 1)
        .map((_, i) => characters.slice(i, i + SEARCHABLE_CODE_POINTS).join('')),
    );
    const among = `{${columns.map((column) => `c${column}`).join(' ')}} : `;
    return [...trigrams]
      .slice(0, MAX_TRIGRAMS)
      .map((trigram) => `${among}"${trigram.replaceAll('"', '""')}"`);
  });
  return found.length > 0 ? found : undefined;
}
