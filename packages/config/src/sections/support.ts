import { z } from 'zod';
import { settings } from '../setting.ts';

/** The support contacts of the server. */
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
        'Support contacts, as objects with `matrix_id`, `email_address` or both, and optionally `role`: `m.role.admin`, the default, or `m.role.security`',
    }),
  page: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .register(settings, { governs: 'The URL of a support page' }),
});
