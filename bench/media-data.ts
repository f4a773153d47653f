import { loadInto, userId } from './data.ts';
import { write } from './rooms-data.ts';

/** The earliest time of the media, in milliseconds since the Unix epoch, and the interval between two of them. */
export const FIRST_TS = 1_700_000_000_000;
export const STEP_MS = 1_000;

/** The size of the data set. */
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
 * Imports media without bytes into a data directory that has the accounts.
 *
 * @returns the records per second
 */
export async function loadMedia(directory: string, data: MediaData): Promise<number> {
  return loadInto(await write(directory, 'media', mediaOf(data)), { STEWARD_DATA: directory });
}

/** The records of media. */
export function* mediaOf({ users, media: count, ofFirst, each = [] }: MediaData): Generator<object> {
  const owners = each.flatMap(({ user, media }) => Array.from({ length: media }, () => user));
  for (let n = 0; n < count + owners.length; n++) {
    yield {
      media_id: mediaId(n),
      user_id: userId(owners[n - count] ?? (n < ofFirst ? 0 : 1 + (n % (users - 1)))),
      media_type: n % 3 === 0 ? 'image/jpeg' : 'image/png',
      media_length: 1_000 + ((n * 7_919) % 100_000),
      upload_name: n % 4 === 0 ? null : `picture ${n}.png`,
      created_ts: FIRST_TS + ((n * 15_485_863) % count) * STEP_MS,
      last_access_ts: n % 5 === 0 ? null : FIRST_TS + n * STEP_MS,
      quarantined_by: null,
    };
  }
}
