import type { Counter, Labels, Meters } from '@steward/telemetry';

/** Counts what goes in and out. */
export interface Traffic {
  readonly uploads: Counter<Labels<'steward_media_uploads_total'>>;
  readonly uploadedBytes: Counter<Labels<'steward_media_uploaded_bytes_total'>>;
  readonly downloadedBytes: Counter<Labels<'steward_media_downloaded_bytes_total'>>;
  readonly thumbnails: Counter<Labels<'steward_media_thumbnails_total'>>;
}

/** The counts of what goes in and out, in the metrics. */
export function countTraffic(meters: Pick<Meters, 'counter'>): Traffic {
  return {
    uploads: meters.counter('steward_media_uploads_total'),
    uploadedBytes: meters.counter('steward_media_uploaded_bytes_total'),
    downloadedBytes: meters.counter('steward_media_downloaded_bytes_total'),
    thumbnails: meters.counter('steward_media_thumbnails_total'),
  };
}
