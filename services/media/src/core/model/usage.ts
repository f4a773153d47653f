import { parseUserId } from '@steward/kernel';
import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import type { IndexDeclaration } from '@steward/store';

/**
 * The number and the size of a user's media. It is the aggregate through which media are counted and removed: each of
 * its commits names them, so that every medium counts exactly once.
 */
export interface Usage extends Aggregate {
  /** The user id. */
  readonly _id: string;
  readonly version: number;
  readonly pending?: readonly UsageEffect[];
  readonly count: number;
  /** In bytes. */
  readonly length: number;
  /** The space of uploads in progress; absent before the first one. */
  readonly reserved?: readonly Reservation[];
  /** Whether the user has media, see `facetOf`. */
  readonly facet: Facet;
  /** Searched in, as the display name is. */
  readonly localpart: string;
  readonly displayname: string | null;
  /** The display name; empty when there is none. */
  readonly searched_name: string;
  /** The version of the account that the display name was taken from; 0 before the first change is received. */
  readonly profile_sequence: number;
  /** Present until the display name was read from the user service. */
  readonly unnamed?: true;
}

/** Space in the quotas of a user that an upload will need, until the medium is counted. */
export interface Reservation {
  /** The key of the medium, see `mediaKey`. */
  readonly media: string;
  /** In bytes. */
  readonly length: number;
  /** When it expires, because its process must have crashed, in milliseconds since the Unix epoch. */
  readonly until_ts: number;
}

/** The reservations that have not expired. */
export function heldReservations({ reserved = [] }: Usage, now: number): readonly Reservation[] {
  return reserved.filter(({ until_ts }) => until_ts > now);
}

/** Whether a user has media: only users with media are listed, and the store keeps the totals of both facets. */
export type Facet = 'some' | 'none';

/** The effect of a change of usage on the medium that it names. */
export type UsageEffect = PendingEffect & {
  readonly kind: 'counted' | 'removed';
  /** The key of the medium, see `mediaKey`. */
  readonly media: string;
};

/** Returns the fields that are derived from the profile of the user. */
type UsageName = 'displayname' | 'searched_name' | 'profile_sequence' | 'unnamed';

/** The usage of a user without media, whose display name is still to be read. */
export function newUsage(userId: string): Usage {
  return { ...namedUsage(userId, null), unnamed: true };
}

/** The usage of a user without media. */
export function namedUsage(userId: string, displayname: string | null): Usage {
  return {
    _id: userId,
    version: 1,
    count: 0,
    length: 0,
    facet: facetOf(0),
    localpart: parseUserId(userId)?.localpart ?? userId,
    ...nameFields(displayname),
    profile_sequence: 0,
  };
}

/** The fields that hold the display name of a user. */
export function nameFields(displayname: string | null): Pick<Usage, 'displayname' | 'searched_name'> {
  return { displayname, searched_name: displayname ?? '' };
}

/** The facet of a user with this number of media. */
export function facetOf(count: number): Facet {
  return count > 0 ? 'some' : 'none';
}

/** The sort keys of usage. Ties ascend in both directions, so each needs two indexes. */
const USAGE_SORT_KEYS = ['displayname', 'length', 'count'] as const satisfies readonly (keyof Usage)[];

const usageListIndexes = USAGE_SORT_KEYS.flatMap((key): IndexDeclaration<Usage>[] => [
  {
    name: `list_${key}_f`,
    keys: [
      ['facet', 1],
      [key, 1],
      ['_id', 1],
    ],
  },
  {
    name: `list_${key}_b`,
    keys: [
      ['facet', 1],
      [key, -1],
      ['_id', 1],
    ],
  },
]);

/** The usage of users, by user id: the aggregate through which media are counted and removed. */
export const usage = declareAggregate<Usage, UsageName>({
  name: 'media.usage',
  whileLoading: [],
  shardKey: '_id',
  search: ['localpart', 'searched_name'],
  tally: 'facet',
  indexes: [
    {
      name: 'list_user_id',
      keys: [
        ['facet', 1],
        ['_id', 1],
      ],
    },
    ...usageListIndexes,
    { name: 'unnamed', keys: [['unnamed', 1]], sparse: true },
  ],
  unversioned: ['displayname', 'searched_name', 'profile_sequence', 'unnamed'],
});
