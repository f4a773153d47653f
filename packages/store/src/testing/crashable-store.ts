import type { Collection, FindCursor } from '../port/collection.ts';
import type { Doc } from '../port/declaration.ts';
import { Unavailable } from '../port/errors.ts';
import type { Store } from '../port/store.ts';

/** A store for one process, which can crash at any call of the store. */
export interface CrashableStore {
  readonly store: Store;
  /** Crashes the process at a later call of the store, counted from 1. */
  crashAt(call: number, point: CrashPoint): void;
  /** Cancels the crash, if it has not happened. */
  cancelCrash(): void;
  readonly hasCrashed: boolean;
}

/** When a process crashes: before a call, after the first part of it (if it has parts), or after it. */
export type CrashPoint = 'before' | 'during' | 'after';

/**
 * A store for one process. After its crash no call reaches `inner`.
 *
 * @param writesAlong whether it writes along with a change if `inner` can; otherwise it makes each write separately, so
 *   that a process can crash between them
 */
export function crashableStore(
  inner: Store,
  { writesAlong = false }: { readonly writesAlong?: boolean } = {},
): CrashableStore {
  let callsLeft = Number.POSITIVE_INFINITY;
  let point: CrashPoint = 'before';
  let crashed = false;
  const crash = () => {
    crashed = true;
    throw new Unavailable('This process has crashed');
  };
  const call = async <R>(run: () => Promise<R>, begin?: () => Promise<unknown>): Promise<R> => {
    if (crashed) return crash();
    if (--callsLeft > 0) {
      const result = await run();
      return crashed ? crash() : result;
    }
    if (point === 'after') await run();
    if (point === 'during') await begin?.();
    return crash();
  };
  const wrap = <T extends Doc>(collection: Collection<T>): Collection<T> => ({
    findOne: (...args) => call(() => collection.findOne(...args)),
    find: (...args): FindCursor<T> => ({
      toArray: () => call(() => collection.find(...args).toArray()),
      async *[Symbol.asyncIterator]() {
        yield* await call(() => collection.find(...args).toArray());
      },
    }),
    countDocuments: (...args) => call(() => collection.countDocuments(...args)),
    groups: (...args) => call(() => collection.groups(...args)),
    totals: (...args) => call(() => collection.totals(...args)),
    tally: () => call(() => collection.tally()),
    revision: () => collection.revision(),
    misfiled: (ids) => collection.misfiled(ids),
    insertOne: (...args) => call(() => collection.insertOne(...args)),
    insertMany: (documents, options) =>
      call(
        () => collection.insertMany(documents, options),
        () => collection.insertMany(documents.slice(0, 1), options),
      ),
    updateOne: (...args) => call(() => collection.updateOne(...args)),
    updateMany: (...args) =>
      call(
        () => collection.updateMany(...args),
        () => collection.updateOne(...args),
      ),
    findOneAndUpdate: (...args) => call(() => collection.findOneAndUpdate(...args)),
    insertion: (documents) => collection.insertion(documents),
    alteration: (updates) => collection.alteration(updates),
    deleteOne: (...args) => call(() => collection.deleteOne(...args)),
    deleteMany: (...args) =>
      call(
        () => collection.deleteMany(...args),
        () => collection.deleteOne(...args),
      ),
    bulkWrite: (operations, options) =>
      call(
        () => collection.bulkWrite(operations, options),
        () => collection.bulkWrite(operations.slice(0, 1), options),
      ),
  });
  return {
    store: {
      capabilities: {
        ...inner.capabilities,
        insertsAlongCommit: writesAlong && inner.capabilities.insertsAlongCommit,
      },
      collection: async (declaration) => wrap(await inner.collection(declaration)),
      close: async () => {},
      someId: (name) => call(() => inner.someId(name)),
      healthy: () => inner.healthy(),
    },
    crashAt(call, at) {
      callsLeft = call;
      point = at;
    },
    cancelCrash() {
      callsLeft = Number.POSITIVE_INFINITY;
    },
    get hasCrashed() {
      return crashed;
    },
  };
}
