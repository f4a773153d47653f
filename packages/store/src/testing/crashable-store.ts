import { type Around, aroundCollection } from '../around-collection.ts';
import type { FindCursor } from '../port/collection.ts';
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
  const around: Around = {
    call: (_, __, run, begin) => call(run, begin),
    async *iterate<T>(cursor: FindCursor<T>) {
      yield* await call(() => cursor.toArray());
    },
  };
  return {
    store: {
      capabilities: {
        ...inner.capabilities,
        insertsAlongCommit: writesAlong && inner.capabilities.insertsAlongCommit,
      },
      collection: async (declaration) => aroundCollection(await inner.collection(declaration), around),
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
