import { z } from 'zod';
import { settings } from '../setting.ts';

const DEFAULT_MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const DEFAULT_MIN_FREE_BYTES = 1024 * 1024 * 1024;

/** Uploaded media. */
export const media = z.strictObject({
  store: z.enum(['file', 'gridfs']).default('file').register(settings, {
    governs:
      'Where media files are stored: `file`, in the data directory, or `gridfs`, in the MongoDB server',
    env: 'STEWARD_MEDIA_STORE',
  }),
  max_upload_bytes: z.int().min(1).default(DEFAULT_MAX_UPLOAD_BYTES).register(settings, {
    governs: 'The maximum size of an upload in bytes',
  }),
  min_free_bytes: z.int().min(0).default(DEFAULT_MIN_FREE_BYTES).register(settings, {
    governs:
      'With `file`: how much space uploads leave free on the disk of the media, in bytes. An upload that would take more is refused with 507; 0 to fill the disk',
  }),
  legacy_download: z.enum(['serve', 'not_found']).default('serve').register(settings, {
    governs:
      'Whether media can be downloaded without an access token: `serve`; or `not_found`, which applies to media uploaded while it is set',
  }),
  max_avatar_bytes: z.int().min(1).optional().register(settings, {
    governs:
      'The maximum size of an avatar of a user in bytes. With this setting or the next one, an avatar must be a medium that this server stores',
  }),
  allowed_avatar_types: z
    .array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'must be a media type such as image/png'))
    .optional()
    .register(settings, {
      governs: 'The permitted MIME types of avatars of users, for example `image/png`; without a value, all',
    }),
});
