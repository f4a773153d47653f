import type { JsonObject } from '@steward/kernel';
import type { Media } from '../core/model/media.ts';
import { furtherOfMedia } from '../core/records/further-fields.ts';

/**
 * The record of a medium, as the import reads it.
 *
 * @param file the path of its bytes, relative to the file of the records; `undefined` without bytes
 */
export function exportedMedia(medium: Media, file: string | undefined): JsonObject {
  return {
    media_id: medium.media_id,
    // The uploader of a medium of this server names the server.
    ...(medium.user_id === null ? { origin: medium.origin } : { user_id: medium.user_id }),
    media_type: medium.type,
    media_length: medium.length,
    upload_name: medium.upload_name,
    created_ts: medium.created_ts,
    last_access_ts: medium.last_access_ts,
    quarantined_by: medium.quarantined_by,
    ...furtherOfMedia.write(medium),
    ...(file === undefined ? {} : { file }),
  };
}
