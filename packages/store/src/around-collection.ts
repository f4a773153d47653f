import type { Collection, FindCursor } from './port/collection.ts';
import type { Doc } from './port/declaration.ts';

/** The methods of a collection that wait for the engine. */
export type StoreOperation = Exclude<keyof Collection<Doc>, 'insertion' | 'alteration' | 'revision'>;

/** What is done around the calls of a collection. */
export interface Around {
  /**
   * Makes a call and returns its result.
   *
   * @param begin makes the first part of a write of several documents, like a process that crashes during the write
   */
  call<R>(
    operation: StoreOperation,
    args: readonly unknown[],
    run: () => Promise<R>,
    begin?: () => Promise<unknown>,
  ): Promise<R>;
  /** Reads the documents of a `find` one after the other. */
  iterate<T>(cursor: FindCursor<T>, args: readonly unknown[]): AsyncIterator<T>;
}

/** A collection that makes its calls on another one, with something done around each. */
export function aroundCollection<T extends Doc>(
  inner: Collection<T>,
  { call, iterate }: Around,
): Collection<T> {
  return {
    findOne: (...args) => call('findOne', args, () => inner.findOne(...args)),
    find: (...args) => {
      const cursor = inner.find(...args);
      return {
        toArray: () => call('find', args, () => cursor.toArray()),
        [Symbol.asyncIterator]: () => iterate(cursor, args),
      };
    },
    countDocuments: (...args) => call('countDocuments', args, () => inner.countDocuments(...args)),
    groups: (...args) => call('groups', args, () => inner.groups(...args)),
    totals: (...args) => call('totals', args, () => inner.totals(...args)),
    tally: () => call('tally', [], () => inner.tally()),
    misfiled: (...args) => call('misfiled', args, () => inner.misfiled(...args)),
    revision: () => inner.revision(),
    insertOne: (...args) => call('insertOne', args, () => inner.insertOne(...args)),
    insertMany: (...args) =>
      call(
        'insertMany',
        args,
        () => inner.insertMany(...args),
        () => inner.insertMany(args[0].slice(0, 1), args[1]),
      ),
    insertion: (documents) => inner.insertion(documents),
    alteration: (updates) => inner.alteration(updates),
    updateOne: (...args) => call('updateOne', args, () => inner.updateOne(...args)),
    updateMany: (...args) =>
      call(
        'updateMany',
        args,
        () => inner.updateMany(...args),
        () => inner.updateOne(...args),
      ),
    findOneAndUpdate: (...args) => call('findOneAndUpdate', args, () => inner.findOneAndUpdate(...args)),
    deleteOne: (...args) => call('deleteOne', args, () => inner.deleteOne(...args)),
    deleteMany: (...args) =>
      call(
        'deleteMany',
        args,
        () => inner.deleteMany(...args),
        () => inner.deleteOne(...args),
      ),
    bulkWrite: (...args) =>
      call(
        'bulkWrite',
        args,
        () => inner.bulkWrite(...args),
        () => inner.bulkWrite(args[0].slice(0, 1), args[1]),
      ),
  };
}
