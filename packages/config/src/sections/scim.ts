import { z } from 'zod';
import { settings } from '../setting.ts';

/** How a directory keeps accounts with SCIM. */
export const scim = z.strictObject({
  auth_provider: z
    .string()
    .regex(/^[^:.\s][^:\s]*$/, 'must not contain colons or spaces, or begin with a full stop')
    .max(512)
    .default('scim')
    .register(settings, {
      governs:
        'The identity provider whose ids the directory sends as `externalId`. With the `id` of an entry of `oidc.providers`, users sign in there to the accounts that the directory made, if both use the same ids',
    }),
  inactive: z.enum(['lock', 'deactivate']).default('lock').register(settings, {
    governs:
      'What happens to an account that the directory makes inactive: `lock` keeps everything for when it is active again, `deactivate` ends its sessions and removes its password and addresses',
  }),
  delete: z.enum(['deactivate', 'erase']).default('deactivate').register(settings, {
    governs: 'What happens to an account that the directory deletes: it is deactivated, or erased as well',
  }),
});
