import { declareCollection } from '@steward/store';

/** A content URI that a user has created, and whose bytes are not uploaded yet. */
export interface PendingUpload {
  /** See `mediaKey`. */
  readonly _id: string;
  readonly user_id: string;
  /** Until when its bytes may be uploaded, in milliseconds since the Unix epoch. */
  readonly expires_ts: number;
  /** Until when no other upload of its bytes may begin; absent while there is none. */
  readonly uploading_until_ts?: number;
}

/** How long the bytes of a content URI may be uploaded, in milliseconds. */
export const PENDING_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Content URIs without bytes. */
export const pendingUploads = declareCollection<PendingUpload>({
  name: 'media.pending_uploads',
  shardKey: '_id',
  indexes: [
    { name: 'expiry', keys: [['expires_ts', 1]] },
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['expires_ts', 1],
      ],
    },
  ],
});

/** The topic that is notified when the bytes of a content URI were uploaded. */
export function uploadTopic(key: string): string {
  return `upload ${key}`;
}
