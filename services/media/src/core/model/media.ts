import type { Aggregate } from '@steward/store';

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
  /** What is `deleting` is served to nobody any more; its bytes go, and then the document. */
  readonly state: 'stored' | 'deleting';
  /** When it was last begun to delete it; absent before. */
  readonly deleting_ts?: number;
  /** There until the usage of its uploader counts it, see `countMedia`; inserted with every medium of this server. */
  readonly uncounted?: true;
  /** The thumbnails that have been made. */
  readonly thumbnails: readonly Thumbnail[];
}

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
