import type { IndexDescription } from 'mongodb';
import type { CollectionDeclaration, Doc, IndexDeclaration } from '../../port/declaration.ts';
import { gramsPath } from '../search/grams.ts';

/** The name of the index over the grams of a search field. Declared names have no dot. */
export const gramsIndex = (field: string): string => `grams.${field}`;

/** The index over the tally path, where no declared index can serve. */
const TALLY_INDEX = 'tally.path';

const entersArray = (path: string, arrays: readonly string[]) =>
  arrays.some((array) => path === array || path.startsWith(`${array}.`));

/**
 * The server's form of the indexes of a declaration: the declared ones by their names, and the adapter's own.
 *
 * @throws TypeError when a search field is inside another field, because updates could not keep its grams up to date
 */
export function engineIndexes<T extends Doc>(declaration: CollectionDeclaration<T>): IndexDescription[] {
  const { tally, search = [], indexes } = declaration;
  const nested = search.find((field) => field.includes('.'));
  if (nested !== undefined)
    throw new TypeError(`${declaration.name}: ${nested} cannot be searched, it is inside another field`);
  const tallyIndex = tallyIndexOf(declaration);
  return [
    ...indexes.map((index) => engineIndex(index, declaration.arrays ?? [])),
    ...search.map((field) => ({ name: gramsIndex(field), key: { [gramsPath(field)]: 1 as const } })),
    ...(tally !== undefined && tallyIndex === TALLY_INDEX
      ? [{ name: TALLY_INDEX, key: { [tally]: 1 as const } }]
      : []),
  ];
}

/** The index from which the tally is counted: one that begins with the path and holds every document. */
export function tallyIndexOf<T extends Doc>(declaration: CollectionDeclaration<T>): string {
  const { tally, arrays = [], indexes } = declaration;
  const covering = indexes.find(
    ({ keys, sparse }) =>
      keys[0]?.[0] === tally && !sparse && !keys.some(([path]) => entersArray(path, arrays)),
  );
  return covering?.name ?? TALLY_INDEX;
}

function engineIndex<T>(declared: IndexDeclaration<T>, arrays: readonly string[]): IndexDescription {
  const { name, keys, unique = false } = declared;
  // An index that is sparse by another path holds all documents: the server does not take a partial one for every query.
  const sparse = declared.sparse === true;
  const paths = keys.map(([path]): string => path);
  const isOverElements = paths.some((path) => entersArray(path, arrays));
  // The server's sparse index holds every document that has any of its keys, so it must not contain `_id`. It serves
  // arrays nevertheless, because a partial index does not answer `$elemMatch`.
  const native = sparse && (unique ? paths.length === 1 : isOverElements);
  const withId = !unique && !native && !paths.includes('_id');
  return {
    name,
    key: Object.fromEntries(withId ? [...keys, ['_id', 1] as const] : keys),
    ...(unique ? { unique } : {}),
    ...(native ? { sparse } : {}),
    ...(sparse && !native ? { partialFilterExpression: allPresent(unique ? paths : paths.slice(0, 1)) } : {}),
  };
}

const allPresent = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, { $exists: true }]));
