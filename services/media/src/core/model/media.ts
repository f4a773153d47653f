import { parseContentUri } from '@steward/kernel';
import { type Aggregate, type Change, declareAggregate, type PendingEffect } from '@steward/service';
import type { IndexDeclaration } from '@steward/store';
import { baseType } from './media-type.ts';

/** The fields by which the inventory finds media, absent in media of earlier versions until `fillInventory` has added them. */
export interface Findable {
  /** The type without its parameters, in lower case. */
  readonly media_type?: string;
  /** The part of `media_type` before the slash. */
  readonly media_class?: string;
  /** Present while it is quarantined. */
  readonly is_quarantined?: true;
  /** Present while it is protected from quarantine. */
  readonly is_protected?: true;
  /** Whether an event of a room or a profile showed it at the last check, see `checkShown`; absent before the first one. */
  readonly shown?: boolean;
  /** The number of checks that began: only the last one counts. */
  readonly checks?: number;
  /** Present until the first check, in media that may have been shown before they were stored. */
  readonly unchecked?: true;
}

/**
 * A stored medium: the aggregate. It has a document only after a complete upload or an import.
 */
export interface Media extends Aggregate, Findable {
  /** See `mediaKey`. */
  readonly _id: string;
  /** The server of its upload: this one, or another one whose medium was imported. */
  readonly origin: string;
  readonly media_id: string;
  /** The id of its uploader; null for media of other servers. */
  readonly user_id: string | null;
  /** In milliseconds since the Unix epoch, as all times. */
  readonly created_ts: number;
  /** In bytes. */
  readonly length: number;
  /** The media type, as the uploader stated it. */
  readonly type: string;
  readonly upload_name: string | null;
  /** Of the bytes, in hexadecimal; null if this server never had them. */
  readonly sha256: string | null;
  /** When it was last downloaded; null if never. Written up to a minute late, see `AccessTimes`. */
  readonly last_access_ts: number | null;
  /** The administrator who quarantined it, or `SYSTEM`; null if it is not quarantined. */
  readonly quarantined_by: string | null;
  /** The last task that quarantined it; absent if no task did. */
  readonly quarantined_in?: string;
  /** Whether it is protected from quarantine. */
  readonly safe_from_quarantine: boolean;
  /** The page whose preview it is. */
  readonly url_cache?: string;
  /** The key of its bytes, see `BlobStore`; null for records without bytes. */
  readonly blob: string | null;
  /** Whether downloads required a token when it was uploaded. */
  readonly authenticated: boolean;
  /** A medium that is `deleting` is no longer served; its bytes are removed, then its document. */
  readonly state: 'stored' | 'deleting';
  /** When the last deletion of it began; absent before. */
  readonly deleting_ts?: number;
  /** Present until the usage of its uploader counts it, see `countMedia`; inserted with every medium of this server. */
  readonly uncounted?: true;
  /** The created thumbnails. */
  readonly thumbnails: readonly Thumbnail[];
  readonly pending?: readonly MediaEffect[];
}

/** The value of `quarantined_by` for uploads of content that was already in quarantine. */
export const SYSTEM = 'system';

/** The effects of a change of a medium. */
export type MediaEffect = QuarantineChanged | Uploaded;

/** Entries in the list of changes of the quarantine, and the same change of all media of the same content. */
export type QuarantineChanged = PendingEffect & {
  readonly kind: 'quarantine_changed';
  /** The new `quarantined_by`; absent if a version committed it that changed single media only. */
  readonly by?: string | null;
};

/** The check whether the content of an upload is in quarantine. */
export type Uploaded = PendingEffect & { readonly kind: 'uploaded' };

/** A thumbnail that is stored with the original. */
export interface Thumbnail {
  /** The key of its bytes. */
  readonly key: string;
  /** The size for which it was created, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly method: 'crop' | 'scale';
  readonly type: string;
  /** In bytes. */
  readonly length: number;
}

/** Returns the id of a medium's document. In existing media, neither part contains a `/`. */
export function mediaKey(origin: string, mediaId: string): string {
  return `${origin}/${mediaId}`;
}

/** The change that quarantines media, or releases them. */
export function quarantineChange(by: string | null): Change<Media> {
  return by === null
    ? { set: { quarantined_by: null }, unset: { is_quarantined: true } }
    : { set: { quarantined_by: by, is_quarantined: true } };
}

/** The change that protects media from quarantine, or ends their protection. */
export function protectionChange(isSafe: boolean): Change<Media> {
  return isSafe
    ? { set: { safe_from_quarantine: true, is_protected: true } }
    : { set: { safe_from_quarantine: false }, unset: { is_protected: true } };
}

/** The fields of a medium that follow from others, with which the inventory finds it. */
export function findableOf({
  type,
  quarantined_by,
  safe_from_quarantine,
}: Pick<Media, 'type' | 'quarantined_by' | 'safe_from_quarantine'>) {
  const mediaType = baseType(type);
  return {
    media_type: mediaType,
    media_class: mediaType.split('/', 1)[0] ?? '',
    ...(quarantined_by === null ? {} : ({ is_quarantined: true } as const)),
    ...(safe_from_quarantine ? ({ is_protected: true } as const) : {}),
  };
}

/** The content URI of a medium. */
export function uriOf({ origin, media_id }: Pick<Media, 'origin' | 'media_id'>): string {
  return `mxc://${origin}/${media_id}`;
}

/** The id of the document that a content URI names; none for another text. */
export function keyOf(uri: string): readonly string[] {
  const parts = parseContentUri(uri);
  return parts ? [mediaKey(parts.serverName, parts.mediaId)] : [];
}

/**
 * The orders of the inventory, with what is tested along their indexes, because the store does not sort what a range by another field
 * finds into this order.
 */
const INVENTORY_SORT_KEYS = {
  length: [],
  created_ts: [],
  last_access_ts: ['created_ts'],
} as const satisfies Partial<Record<keyof Media, readonly (keyof Media)[]>>;

/**
 * The fields by which the inventory filters, the most selective first. Each has an index for each order, which serves both
 * directions, and holds the length, so that sums are read from the index alone.
 */
const INVENTORY_FILTERS = [
  { key: 'is_quarantined', sparse: true },
  { key: 'is_protected', sparse: true },
  { key: 'media_type', sparse: false },
  { key: 'media_class', sparse: false },
  { key: 'shown', sparse: false },
  { key: 'origin', sparse: false },
] as const;

const inventoryIndexes = Object.entries(INVENTORY_SORT_KEYS).flatMap(
  ([order, tested]): IndexDeclaration<Media>[] => {
    const ordered: IndexDeclaration<Media>['keys'] = [
      [order as keyof typeof INVENTORY_SORT_KEYS, 1],
      ['_id', 1],
      ...(order === 'length' ? [] : [['length', 1] as const]),
      ...tested.map((key) => [key, 1] as const),
    ];
    const name = [order, ...tested].join('_');
    return [
      { name: `inventory_${name}`, keys: ordered },
      ...INVENTORY_FILTERS.map(({ key, sparse }) => ({
        name: `inventory_${key}_${name}`,
        keys: [[key, 1] as const, ...ordered],
        sparse,
      })),
    ];
  },
);

/** The sort keys of a user's media. Ties ascend in both directions, so each needs two indexes. */
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

/** Times, counts, thumbnails, which can be recreated, and what other services say. */
type Unversioned = 'last_access_ts' | 'thumbnails' | 'uncounted' | 'shown' | 'checks' | 'unchecked';

/** Media, by server and media id: the aggregate. */
export const media = declareAggregate<Media, Unversioned>({
  name: 'media.media',
  whileLoading: [],
  shardKey: '_id',
  indexes: [
    { name: 'blob', keys: [['blob', 1]], sparse: true },
    {
      name: 'content',
      keys: [
        ['sha256', 1],
        ['created_ts', 1],
        ['_id', 1],
      ],
      sparse: true,
    },
    {
      name: 'content_quarantine',
      keys: [
        ['sha256', 1],
        ['quarantined_by', 1],
        ['created_ts', 1],
        ['_id', 1],
      ],
      sparse: true,
    },
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
      // Includes user and length, so that the sums of a time range are read only from the index.
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
    { name: 'unchecked', keys: [['unchecked', 1]], sparse: true },
    ...inventoryIndexes,
  ],
  unversioned: ['last_access_ts', 'thumbnails', 'uncounted', 'shown', 'checks', 'unchecked'],
});
