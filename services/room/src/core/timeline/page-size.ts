import { MAX_EVENTS_READ } from './read-page.ts';

/** Events of a page where nobody says how many are wanted. */
const DEFAULT_LIMIT = 10;

/** How many events a page has at most, given how many are wanted. */
export function pageSize(wanted: bigint | undefined): number {
  return Math.min(Number(wanted ?? DEFAULT_LIMIT), MAX_EVENTS_READ);
}
