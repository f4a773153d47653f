import { z } from 'zod';
import { settings } from '../setting.ts';

const DEFAULT_MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const DEFAULT_MIN_FREE_BYTES = 1024 * 1024 * 1024;

/** The kinds of stores of media. */
const stores = z.enum(['file', 'gridfs', 's3']);

/**
 * A bucket for media. Credentials are found as the AWS tools find them: variables, shared files, the role of the machine.
 *
 * @param of which store it is, for the reference
 * @param env the beginning of the names of its variables
 */
const bucketOf = (of: string, env: `STEWARD_${string}`) =>
  z
    .strictObject({
      bucket: z
        .string()
        .min(1)
        .optional()
        .register(settings, {
          governs: `The bucket${of}, which must exist; required with \`s3\``,
          env: `${env}_BUCKET`,
        }),
      endpoint: z
        .url({ protocol: /^https?$/ })
        .optional()
        .register(settings, {
          governs: `The URL of the S3 service${of}; without a value, that of AWS in the region`,
          env: `${env}_ENDPOINT`,
        }),
      region: z
        .string()
        .min(1)
        .default('us-east-1')
        .register(settings, {
          governs: `The region of the bucket${of}`,
          env: `${env}_REGION`,
        }),
      prefix: z
        .string()
        .regex(
          /^(?!\/)[\w./-]*$/,
          'may contain letters, digits, `_`, `.`, `-` and `/`, and must not start with `/`',
        )
        .default('')
        .register(settings, {
          governs: `What the names of objects${of} begin with, for example \`media/\``,
          env: `${env}_PREFIX`,
        }),
      path_style: z
        .boolean()
        .optional()
        .register(settings, {
          governs: `Whether the bucket${of} is part of the path of URLs, other than of the host name. Without a value: if there is an \`endpoint\``,
        }),
      server_side_encryption: z
        .enum(['AES256', 'aws:kms'])
        .optional()
        .register(settings, {
          governs: `The encryption that the S3 service${of} is asked for; without a value, as the bucket is configured`,
        }),
      kms_key_id: z
        .string()
        .min(1)
        .optional()
        .register(settings, {
          governs: `The key for \`aws:kms\`${of}; without a value, that of the account`,
        }),
    })
    .prefault({});

/** Uploaded media. */
export const media = z.strictObject({
  store: stores.default('file').register(settings, {
    governs:
      'Where media files are stored: `file`, in the data directory; `gridfs`, in the MongoDB server; or `s3`, in a bucket of an S3 service',
    env: 'STEWARD_MEDIA_STORE',
  }),
  s3: bucketOf('', 'STEWARD_S3'),
  second_store: stores.optional().register(settings, {
    governs:
      'A second store, from which media are read and deleted, too, while they are moved to `store` with `npm run media-move`; see [operations](backup-and-upgrade.md#move-media-to-another-store)',
    env: 'STEWARD_MEDIA_SECOND_STORE',
  }),
  second_s3: bucketOf(' of `second_store`', 'STEWARD_SECOND_S3'),
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
