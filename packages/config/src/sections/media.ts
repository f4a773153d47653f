import { z } from 'zod';
import { settings } from '../setting.ts';

const DEFAULT_MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** Uploaded media. */
export const media = z.strictObject({
  store: z.enum(['file', 'gridfs']).default('file').register(settings, {
    governs: 'Where the bytes are kept: `file`, in the data directory, or `gridfs`, in the MongoDB server',
    env: 'STEWARD_MEDIA_STORE',
  }),
  max_upload_bytes: z.int().min(1).default(DEFAULT_MAX_UPLOAD_BYTES).register(settings, {
    governs: 'The largest upload, in bytes',
  }),
  legacy_download: z.enum(['serve', 'not_found']).default('serve').register(settings, {
    governs:
      'Whether media can be downloaded without a token: `serve`, or `not_found` for those that are uploaded while it says so',
  }),
  max_avatar_bytes: z.int().min(1).optional().register(settings, {
    governs: 'The largest avatar, in bytes; without a value, any upload can be one',
  }),
  allowed_avatar_types: z
    .array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'must be a media type such as image/png'))
    .optional()
    .register(settings, {
      governs: 'The media types that an avatar may have, for example `image/png`; without a value, any',
    }),
});
