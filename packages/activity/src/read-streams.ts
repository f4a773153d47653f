import type { ActivityQuery, ActivityStream, PlacedEntry } from './stream.ts';
import type { StreamName } from './streams.ts';

/** Reads those of a service's streams that a query names, each once. */
export async function readStreams(
  streams: readonly ActivityStream[],
  { streams: names, places, ...query }: ActivityQuery,
): Promise<ReadonlyMap<StreamName, readonly PlacedEntry[]>> {
  const asked = streams.filter(({ name }) => names.includes(name));
  const read = asked.map(
    async (stream) => [stream.name, await stream.read({ ...query, after: places.get(stream.name) })] as const,
  );
  return new Map(await Promise.all(read));
}
