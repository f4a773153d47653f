import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Media, media, mediumOf, newUsage, type Usage, usage } from '@steward/media/testing';
import { openSqliteStore } from '@steward/store';
import { displayName, userId } from './data.ts';
import { insertBare } from './insert.ts';

/** The earliest time of the media, in milliseconds since the Unix epoch, and the interval between two of them. */
export const FIRST_TS = 1_700_000_000_000;
export const STEP_MS = 1_000;

/** The size of the data set for an empty data directory. */
export interface MediaData {
  readonly users: number;
  readonly media: number;
  /** How many of them belong to the first user; the rest are distributed over the others in turn. */
  readonly ofFirst: number;
  /** Further users, by number, each with so many media beside those. */
  readonly each?: readonly { readonly user: number; readonly media: number }[];
}

/** The id of the n-th medium. */
export function mediaId(n: number): string {
  return `m${String(n).padStart(8, '0')}`;
}

/**
 * Writes media without bytes, and the usage of their users, as the service stores them. It writes directly into the
 * store, which creates the indexes afterwards.
 */
export async function writeMedia(directory: string, data: MediaData): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'steward.db');
  const store = await openSqliteStore({ path });
  const sums = new Map<string, { count: number; length: number }>();
  await insertBare(store, media, mediaOf(data, sums));
  await insertBare(store, usage, usagesOf(sums));
  await store.close();
  const whole = await openSqliteStore({ path });
  await whole.collection(media);
  await whole.collection(usage);
  await whole.close();
}

function* mediaOf(
  { users, media: count, ofFirst, each = [] }: MediaData,
  sums: Map<string, { count: number; length: number }>,
): Generator<Media> {
  const owners = each.flatMap(({ user, media }) => Array.from({ length: media }, () => user));
  for (let n = 0; n < count + owners.length; n++) {
    const user = userId(owners[n - count] ?? (n < ofFirst ? 0 : 1 + (n % (users - 1))));
    const length = 1_000 + ((n * 7_919) % 100_000);
    const sum = sums.get(user) ?? { count: 0, length: 0 };
    sums.set(user, { count: sum.count + 1, length: sum.length + length });
    yield mediumOf(mediaId(n), {
      origin: 'localhost',
      user_id: user,
      created_ts: FIRST_TS + ((n * 15_485_863) % count) * STEP_MS,
      length,
      type: n % 3 === 0 ? 'image/jpeg' : 'image/png',
      upload_name: n % 4 === 0 ? null : `picture ${n}.png`,
      last_access_ts: n % 5 === 0 ? null : FIRST_TS + n * STEP_MS,
      safe_from_quarantine: n % 1_000 === 999,
    });
  }
}

function* usagesOf(sums: ReadonlyMap<string, { count: number; length: number }>): Generator<Usage> {
  let n = 0;
  for (const [user, sum] of sums) {
    const { unnamed: _, ...named } = newUsage(user);
    const name = n % 10 === 0 ? null : displayName(n);
    n++;
    yield { ...named, ...sum, facet: 'some', displayname: name, searched_name: name ?? '' };
  }
}
