import { MAX_EVENTS_READ } from './read-page.ts';

/** The default number of events of a page. */
const DEFAULT_LIMIT = 10;

/** The most events of a page of relations or threads, each of which may bring others with it. */
export const MAX_PAGE_OF_RELATED = 100;

/** The most events of a page, by the limit of the request. */
export function pageSize(limit: bigint | undefined): number {
  return Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_EVENTS_READ);
}
