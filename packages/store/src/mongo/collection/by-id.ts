import DataLoader from 'dataloader';
import { deepFreeze } from '../../deep-freeze.ts';
import type { Doc } from '../../port/declaration.ts';

/** The most documents in one read. */
const MAX_BATCH = 100;

/**
 * How many reads of one collection are in progress at most. The ids that are asked for while all are share the next one, so
 * that a busy process makes few reads with many ids; of two, one goes on when the other is slow.
 */
const MAX_RUNNING = 2;

/**
 * Reads documents by id, many with one operation, because the cost of an operation hardly depends on its number of ids.
 * Nothing is cached, and a read begins after it was asked for, so that it sees every write that completed before. A document
 * that several callers asked for is one object, which is frozen.
 */
export function readById<T extends Doc>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | null> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const end = () => {
    running--;
    waiting.shift()?.();
  };
  const schedule = (run: () => void) => {
    const start = () => {
      running++;
      // The reads of one turn of the event loop share an operation.
      setImmediate(run);
    };
    if (running < MAX_RUNNING) start();
    else waiting.push(start);
  };
  const loader = new DataLoader<string, T | null>(
    async (ids) => {
      const unique = [...new Set(ids)];
      const found = new Map((await read(unique).finally(end)).map((document) => [document._id, document]));
      const given = new Set<string>();
      return ids.map((id) => {
        const document = found.get(id) ?? null;
        if (document && given.has(id)) deepFreeze(document);
        given.add(id);
        return document;
      });
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: schedule },
  );
  return (id) => loader.load(id);
}

/** The id that a filter tests for, if it tests for nothing else. */
export function idIn(filter: object): string | undefined {
  const [[key, value] = [], ...others] = Object.entries(filter);
  return key === '_id' && typeof value === 'string' && others.length === 0 ? value : undefined;
}
