import type { Filter } from '@steward/store';
import type { Deps } from './deps.ts';
import { type Media, SYSTEM } from './model/media.ts';

/** The order of media by their upload. */
export const UPLOAD_ORDER = { created_ts: 1, _id: 1 } as const;

/** Excludes protected media. */
export const UNPROTECTED = { safe_from_quarantine: false } as const satisfies Filter<Media>;

/** Excludes quarantined and protected media. */
export const READABLE = { quarantined_by: null, ...UNPROTECTED } as const satisfies Filter<Media>;

/** Only quarantined media. A bound, because an index serves it. */
export const QUARANTINED = { quarantined_by: { $gte: '' } } as const satisfies Filter<Media>;

/** A medium, and the hash of its content. */
export type Hashed = Pick<Media, '_id' | 'sha256'>;

type MediaDeps = Pick<Deps, 'media'>;

/** The hashes of media, each once; media whose content is unknown have none. */
export function hashesOf(media: readonly Hashed[]): readonly string[] {
  return [...new Set(media.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])))];
}

/**
 * Returns the keys of media, and of all media with the same content.
 *
 * @param which a filter on the others
 * @returns `undefined` for more than `limit`
 */
export async function withSameContent(
  { media }: MediaDeps,
  found: readonly Hashed[],
  which: Filter<Media>,
  limit: number,
): Promise<readonly string[] | undefined> {
  const hashes = hashesOf(found);
  const same =
    hashes.length === 0
      ? []
      : await media
          .find({ sha256: { $in: hashes }, ...which }, { limit: limit + 1, projection: { _id: 1 } })
          .toArray();
  const keys = [...new Set([...found, ...same].map(({ _id }) => _id))];
  return keys.length > limit ? undefined : keys;
}

/**
 * Returns the first media of a content that an order still has to change.
 *
 * @param quarantinedBy the administrator who quarantines the content, or null for its release
 */
export function unchangedOf(
  { media }: MediaDeps,
  hashes: readonly string[],
  quarantinedBy: string | null,
  limit: number,
): Promise<Media[]> {
  const unchanged = quarantinedBy === null ? QUARANTINED : READABLE;
  return media
    .find(
      { sha256: { $in: hashes }, ...unchanged },
      { sort: UPLOAD_ORDER, limit, projection: { sha256: 1, quarantined_in: 1 } },
    )
    .toArray();
}

/**
 * Whether a content is in quarantine: whether a medium of it is, other than the given one. Uploads whose check has not
 * ended do not count, because two of them could keep each other in quarantine after a release.
 */
export async function isInQuarantine({ media }: MediaDeps, sha256: string, except: string): Promise<boolean> {
  const found = await media.findOne(
    {
      sha256,
      ...QUARANTINED,
      state: 'stored',
      _id: { $ne: except },
      $nor: [{ quarantined_by: SYSTEM, 'pending.kind': 'uploaded' }],
    },
    { projection: { _id: 1 } },
  );
  return found !== null;
}
