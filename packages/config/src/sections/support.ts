import { z } from 'zod';
import { settings } from '../setting.ts';

/** Whom users of the server turn to. */
export const support = z.strictObject({
  contacts: z
    .array(
      z
        .strictObject({
          matrix_id: z
            .string()
            .regex(/^@[^:]*:./, 'must be a user id')
            .optional(),
          email_address: z.email().optional(),
          role: z.enum(['m.role.admin', 'm.role.security']).default('m.role.admin'),
        })
        .refine(
          ({ matrix_id, email_address }) => matrix_id !== undefined || email_address !== undefined,
          'must have matrix_id or email_address',
        ),
    )
    .default([])
    .register(settings, {
      governs:
        'People to turn to, as objects with `matrix_id` or `email_address`, or both, and perhaps `role`: `m.role.admin`, the default, or `m.role.security`',
    }),
  page: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .register(settings, { governs: 'The URL of a page that helps' }),
});
