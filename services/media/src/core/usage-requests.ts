import { KeyedGroups } from '@steward/kernel';
import type { QuotaHolder } from '@steward/limits';

/** The most requests in one commit. */
const MOST = 64;

/** What an upload needs of the usage of its user. */
export type UsageRequest =
  | {
      readonly kind: 'reserve';
      readonly holder: QuotaHolder;
      /** The key of the medium, see `mediaKey`. */
      readonly media: string;
      /** In bytes. */
      readonly length: number;
    }
  | { readonly kind: 'release'; readonly media: string }
  | { readonly kind: 'count' };

/** The outcome of requests. */
export interface UsageOutcome {
  /** How many media were counted. */
  readonly counted: number;
  /** The refusals of reservations. */
  readonly refusals: ReadonlyMap<UsageRequest, unknown>;
}

/** Requests that concern the usage of one user, by user id. */
export type UsageRequests = KeyedGroups<UsageRequest, UsageOutcome>;

/** Creates the groups of requests of a process. */
export function createUsageRequests(): UsageRequests {
  return new KeyedGroups(MOST);
}
