import { QueryClient } from '@tanstack/react-query';

const STALE_MS = 30_000;

/** The cache of answers. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The client library repeats reads that may succeed.
        retry: false,
        // Events of the feed say what has changed; without them, a page reads again when its user returns to it.
        staleTime: STALE_MS,
      },
    },
  });
}
