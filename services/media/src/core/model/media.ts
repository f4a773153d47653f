import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import type { IndexDeclaration } from '@steward/store';

/**
 * A medium as it is kept: the aggregate. There is a document only for what has been uploaded in full, or
 * was imported.
 */
export interface Media extends Aggregate {
  /** See `mediaKey`. */
  readonly _id: string;
  /** The server that it was uploaded to: this one, or another whose medium was imported. */
  readonly origin: string;
  readonly media_id: string;
  /** Who uploaded it; null for media of other servers. */
  readonly user_id: string | null;
  /** In milliseconds since the Unix epoch, as all times. */
  readonly created_ts: number;
  /** In bytes. */
  readonly length: number;
  /** The media type, as the uploader stated it. */
  readonly type: string;
  readonly upload_name: string | null;
  /** Of the bytes, in hexadecimal; null where they were never here. */
  readonly sha256: string | null;
  /** When it was last downloaded; null when never. Written up to a minute late, see `AccessTimes`. */
  readonly last_access_ts: number | null;
  /** The administrator who put it into quarantine; null when it is in none. */
  readonly quarantined_by: string | null;
  /** The task that was the last to put it into quarantine; absent where none did. */
  readonly quarantined_in?: string;
  /** Whether no quarantine touches it. */
  readonly safe_from_quarantine: boolean;
  /** The page that it is a preview of. */
  readonly url_cache?: string;
  /** Under which the bytes are kept, see `BlobStore`; null for records without bytes. */
  readonly blob: string | null;
  /** Whether it was uploaded when only those who say who they are might download. */
  readonly authenticated: boolean;
  /** A medium that is `deleting` is not served any more; its bytes are removed, and then the document. */
  readonly state: 'stored' | 'deleting';
  /** When it was last begun to delete it; absent before. */
  readonly deleting_ts?: number;
  /** There until the usage of its uploader counts it, see `countMedia`; inserted with every medium of this server. */
  readonly uncounted?: true;
  /** The thumbnails that have been made. */
  readonly thumbnails: readonly Thumbnail[];
  readonly pending?: readonly MediaEffect[];
}

/** The effects of a change of a medium: an entry in the list of what went into quarantine and came out of it. */
export type MediaEffect = PendingEffect & { readonly kind: 'quarantine_changed' };

/** A thumbnail that is kept beside the original. */
export interface Thumbnail {
  /** Under which its bytes are kept. */
  readonly key: string;
  /** Of the size that it was made for, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly method: 'crop' | 'scale';
  readonly type: string;
  /** In bytes. */
  readonly length: number;
}

/** The id of a medium's document. Neither part holds a `/` in any medium that exists. */
export function mediaKey(origin: string, mediaId: string): string {
  return `${origin}/${mediaId}`;
}

/** What a user's media are sorted by. Ties ascend in either direction, so that each needs two indexes. */
const MEDIA_SORT_KEYS = [
  'upload_name',
  'created_ts',
  'last_access_ts',
  'length',
  'type',
  'quarantined_by',
  'safe_from_quarantine',
] as const satisfies readonly (keyof Media)[];

const mediaListIndexes = MEDIA_SORT_KEYS.flatMap((key): IndexDeclaration<Media>[] => [
  {
    name: `list_${key}_f`,
    keys: [
      ['user_id', 1],
      [key, 1],
      ['_id', 1],
    ],
  },
  {
    name: `list_${key}_b`,
    keys: [
      ['user_id', 1],
      [key, -1],
      ['_id', 1],
    ],
  },
]);

/** Media, by server and media id: the aggregate. */
export const media = declareAggregate<Media, 'last_access_ts' | 'thumbnails' | 'uncounted'>({
  name: 'media.media',
  shardKey: '_id',
  indexes: [
    { name: 'blob', keys: [['blob', 1]], sparse: true },
    {
      name: 'list_media_id',
      keys: [
        ['user_id', 1],
        ['_id', 1],
      ],
    },
    ...mediaListIndexes,
    {
      name: 'last_use',
      keys: [
        ['origin', 1],
        ['last_access_ts', 1],
        ['created_ts', 1],
      ],
    },
    {
      name: 'last_use_by_user',
      keys: [
        ['user_id', 1],
        ['last_access_ts', 1],
        ['created_ts', 1],
      ],
    },
    {
      // With user and length, so that the sums of a time are read from the index alone.
      name: 'uploads',
      keys: [
        ['origin', 1],
        ['created_ts', 1],
        ['user_id', 1],
        ['length', 1],
      ],
    },
    {
      name: 'uncounted',
      keys: [
        ['uncounted', 1],
        ['user_id', 1],
      ],
      sparse: true,
    },
    { name: 'state', keys: [['state', 1]] },
  ],
  // Times and counts; and thumbnails, which can be made again.
  unversioned: ['last_access_ts', 'thumbnails', 'uncounted'],
});
