import { parseUserId } from '@steward/kernel';
import type { Aggregate, Owed } from '@steward/store';

/**
 * What the media of a user amount to. The document is the aggregate through which media begin and cease to
 * count: each of its commits names them, so that none counts twice or never.
 */
export interface Usage extends Aggregate {
  /** The user id. */
  readonly _id: string;
  readonly version: number;
  readonly pending?: readonly Owed[];
  readonly count: number;
  /** In bytes. */
  readonly length: number;
  /** Whether there are any media, see `facetOf`. */
  readonly facet: Facet;
  /** Searched in, as the display name is. */
  readonly localpart: string;
  readonly displayname: string | null;
  /** The display name; empty when there is none. */
  readonly searched_name: string;
  /** The version of the account that the display name was taken from; 0 before the first change was heard of. */
  readonly profile_sequence: number;
  /** There until the display name has been asked for. */
  readonly unnamed?: true;
}

/** Whether a user has media: only those who do are listed, and the totals of both are known. */
export type Facet = 'some' | 'none';

/** What a change of usage does to the media that it names. Each may be done twice. */
export type UsageOwed = {
  readonly id: Owed['id'];
  /** The key of the medium, see `mediaKey`. */
  readonly media: string;
} & ({ readonly kind: 'counted' } | { readonly kind: 'removed' });

/** The usage of somebody who has no media. */
export function newUsage(userId: string): Usage {
  return {
    _id: userId,
    version: 1,
    count: 0,
    length: 0,
    facet: facetOf(0),
    localpart: parseUserId(userId)?.localpart ?? userId,
    displayname: null,
    searched_name: '',
    profile_sequence: 0,
    unnamed: true,
  };
}

/** The facet of somebody with so many media. */
export function facetOf(count: number): Facet {
  return count > 0 ? 'some' : 'none';
}
