import DataLoader from 'dataloader';

/** How many ids a request names: with the longest ones, its URL is as long as servers accept. */
const BATCH = 40;

/** How long ids are collected for one request, in milliseconds: the rows of a table are rendered one by one. */
const COLLECT_MS = 20;

/** Reads what is wanted at about the same time with one request, by ids. What was answered is kept by the queries. */
export function batchReads<Found>(
  read: (ids: string[]) => Promise<Readonly<Record<string, Found>>>,
): DataLoader<string, Found | null> {
  return new DataLoader<string, Found | null>(
    async (ids) => {
      const found = await read([...ids]);
      return ids.map((id) => (Object.hasOwn(found, id) ? (found[id] ?? null) : null));
    },
    { maxBatchSize: BATCH, cache: false, batchScheduleFn: (send) => setTimeout(send, COLLECT_MS) },
  );
}
