import type { Document } from 'mongodb';
import type { BulkOperation } from '../../port/collection.ts';
import type { Doc } from '../../port/declaration.ts';
import { withGrams } from '../search/with-grams.ts';
import { translateFilter } from '../translate/translate-filter.ts';
import { translateUpdate } from '../translate/translate-update.ts';
import type { Write } from './bulk-write.ts';
import type { Stored } from './engine.ts';

/** The server's form of a document, with the grams of its search fields. */
export function stored(document: Doc, search: readonly string[]): Stored {
  if (typeof document._id !== 'string') throw new TypeError('A document needs an _id, which is a string');
  return withGrams(document, search);
}

/** The server's form of the filter and the change of an update. */
export function translateWrite(
  filter: object,
  update: object,
  search: readonly string[],
  upsert = false,
): { readonly where: Document; readonly change: Document } {
  return {
    where: translateFilter(filter),
    change: translateUpdate(update, search, upsert ? filter : {}),
  };
}

/**
 * The driver's form of an operation of a bulk write.
 *
 * @param route changes a filter so that it reaches the right shard
 */
export function translateOperation<T extends Doc>(
  operation: BulkOperation<T>,
  search: readonly string[],
  route: <F extends object>(filter: F) => F,
): Write {
  if ('insertOne' in operation)
    return { insertOne: { document: stored(operation.insertOne.document, search) } };
  if ('updateOne' in operation) {
    const { filter, update, upsert = false } = operation.updateOne;
    const { where, change } = translateWrite(route(filter), update, search, upsert);
    return { updateOne: { filter: where, update: change, upsert } };
  }
  if ('updateMany' in operation) {
    const { where, change } = translateWrite(
      route(operation.updateMany.filter),
      operation.updateMany.update,
      search,
    );
    return { updateMany: { filter: where, update: change } };
  }
  return 'deleteOne' in operation
    ? { deleteOne: { filter: translateFilter(route(operation.deleteOne.filter)) } }
    : { deleteMany: { filter: translateFilter(route(operation.deleteMany.filter)) } };
}
