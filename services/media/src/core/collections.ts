import { declareCollection, type IndexDeclaration, PENDING_INDEX } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import type { Claim } from './model/claim.ts';
import type { Media } from './model/media.ts';
import type { QuarantineChange } from './model/quarantine-change.ts';
import type { Usage } from './model/usage.ts';

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

/** What the usage of users is sorted by, as above. */
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

/** Media, by server and media id: the aggregate. */
export const media = declareCollection<Media>({
  name: 'media.media',
  shardKey: '_id',
  arrays: ['pending'],
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
      // Whose they are and how long, so that a time is summed up without a look at the media themselves.
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
    PENDING_INDEX,
  ],
});

/** Bytes that may belong to no document, by their key. */
export const claims = declareCollection<Claim>({
  name: 'media.claims',
  shardKey: '_id',
  indexes: [{ name: 'since', keys: [['since_ts', 1]] }],
});

/** What the media of users amount to, by user id: the aggregate through which media begin and cease to count. */
export const usage = declareCollection<Usage>({
  name: 'media.usage',
  shardKey: '_id',
  arrays: ['pending'],
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
    PENDING_INDEX,
  ],
});

/** What went into quarantine and came out of it, in this order. */
export const quarantineChanges = declareCollection<QuarantineChange>({
  name: 'media.quarantine_changes',
  shardKey: '_id',
  indexes: [],
});

/** Work on media that outlasts the request for it. */
export const tasks = declareTasks('media');
