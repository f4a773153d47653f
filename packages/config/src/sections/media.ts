import { z } from 'zod';
import { settings } from '../setting.ts';

const DEFAULT_MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const DEFAULT_MIN_FREE_BYTES = 1024 * 1024 * 1024;

/** The bucket for media. Credentials are found as the AWS tools find them: variables, shared files, the role of the machine. */
const s3 = z
  .strictObject({
    bucket: z.string().min(1).optional().register(settings, {
      governs: 'The bucket, which must exist; required with `s3`',
      env: 'STEWARD_S3_BUCKET',
    }),
    endpoint: z
      .url({ protocol: /^https?$/ })
      .optional()
      .register(settings, {
        governs: 'The URL of the S3 service; without a value, that of AWS in the region',
        env: 'STEWARD_S3_ENDPOINT',
      }),
    region: z.string().min(1).default('us-east-1').register(settings, {
      governs: 'The region of the bucket',
      env: 'STEWARD_S3_REGION',
    }),
    prefix: z
      .string()
      .regex(
        /^(?!\/)[\w./-]*$/,
        'may contain letters, digits, `_`, `.`, `-` and `/`, and must not start with `/`',
      )
      .default('')
      .register(settings, {
        governs: 'What the names of objects begin with, for example `media/`',
        env: 'STEWARD_S3_PREFIX',
      }),
    path_style: z.boolean().optional().register(settings, {
      governs:
        'Whether the bucket is part of the path of URLs, other than of the host name. Without a value: if there is an `endpoint`',
    }),
    server_side_encryption: z.enum(['AES256', 'aws:kms']).optional().register(settings, {
      governs:
        'The encryption that the S3 service is asked for; without a value, as the bucket is configured',
    }),
    kms_key_id: z.string().min(1).optional().register(settings, {
      governs: 'The key for `aws:kms`; without a value, that of the account',
    }),
  })
  .prefault({});

/** Uploaded media. */
export const media = z.strictObject({
  store: z.enum(['file', 'gridfs', 's3']).default('file').register(settings, {
    governs:
      'Where media files are stored: `file`, in the data directory; `gridfs`, in the MongoDB server; or `s3`, in a bucket of an S3 service',
    env: 'STEWARD_MEDIA_STORE',
  }),
  s3,
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
