import type { Collection, FindCursor } from '../collection.ts';
import type { Doc } from '../declaration.ts';
import { Unavailable } from '../errors.ts';
import type { Store } from '../store.ts';

/** A store for one process, which may die at any of its calls. */
export interface MortalStore {
  readonly store: Store;
  /** Lets the process die at a later call of the store, counted from 1: before it is made, in its midst, or after it. */
  dieAt(call: number, how: Death): void;
  /** Lets the process live after all. */
  spare(): void;
  readonly isDead: boolean;
}

/** Whether the call of which a process dies is made, made in part, or not made. */
export type Death = 'before' | 'amid' | 'after';

/** A store for one process. After its death no call reaches the other store. */
export function mortalStore(inner: Store): MortalStore {
  let left = Number.POSITIVE_INFINITY;
  let how: Death = 'before';
  let dead = false;
  const die = () => {
    dead = true;
    throw new Unavailable('This process is dead');
  };
  const call = async <R>(run: () => Promise<R>, begin?: () => Promise<unknown>): Promise<R> => {
    if (dead) return die();
    if (--left > 0) {
      const result = await run();
      return dead ? die() : result;
    }
    if (how === 'after') await run();
    if (how === 'amid') await begin?.();
    return die();
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
    tally: () => call(() => collection.tally()),
    insertOne: (...args) => call(() => collection.insertOne(...args)),
    insertMany: (documents, options) =>
      call(
        () => collection.insertMany(documents, options),
        () => collection.insertMany(documents.slice(0, 1), options),
      ),
    updateOne: (...args) => call(() => collection.updateOne(...args)),
    updateMany: (...args) => call(() => collection.updateMany(...args)),
    findOneAndUpdate: (...args) => call(() => collection.findOneAndUpdate(...args)),
    deleteOne: (...args) => call(() => collection.deleteOne(...args)),
    deleteMany: (...args) => call(() => collection.deleteMany(...args)),
    bulkWrite: (operations, options) =>
      call(
        () => collection.bulkWrite(operations, options),
        () => collection.bulkWrite(operations.slice(0, 1), options),
      ),
  });
  return {
    store: {
      // What is done in one step cannot be torn; the way that every engine has can.
      capabilities: { ...inner.capabilities, insertsAlongCommit: false },
      collection: async (declaration) => wrap(await inner.collection(declaration)),
      close: async () => {},
      healthy: () => inner.healthy(),
    },
    dieAt(at, death) {
      left = at;
      how = death;
    },
    spare() {
      left = Number.POSITIVE_INFINITY;
    },
    get isDead() {
      return dead;
    },
  };
}
