import { MAX_EVENTS_READ } from './read-page.ts';

/** Events of a page whose request has no limit. */
const DEFAULT_LIMIT = 10;

/** How many events a page has at most, by the limit of the request. */
export function pageSize(limit: bigint | undefined): number {
  return Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_EVENTS_READ);
}
