import { compareCodePoints } from '@steward/kernel';
import type { FindOptions } from '../../port/collection.ts';
import type { Doc } from '../../port/declaration.ts';

/**
 * The ids of a query for the documents with some ids, ascending, if it asks for nothing else: all of them, in no particular
 * order, and with their ids.
 */
export function idsAlone<T extends Doc>(
  filter: object,
  { sort, skip, limit, projection }: FindOptions<T>,
): readonly string[] | undefined {
  if (sort || skip || limit || projection?._id === 0) return undefined;
  const ids = oneCondition(oneCondition(filter, '_id'), '$in');
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) return undefined;
  const ascending = ids.map(wellFormed).sort(compareCodePoints);
  return ascending.filter((id, i) => id !== ascending[i - 1]);
}

const wellFormed = (id: string) => id.toWellFormed();

/** The value of the only member of an object, if it has this key. */
function oneCondition(of: unknown, key: string): unknown {
  if (typeof of !== 'object' || of === null) return undefined;
  const keys = Object.keys(of);
  return keys.length === 1 && keys[0] === key ? of[key as keyof typeof of] : undefined;
}
