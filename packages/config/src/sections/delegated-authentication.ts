import { z } from 'zod';
import { settings } from '../setting.ts';

/** Authentication by another service (MSC3861). */
export const delegatedAuthentication = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs:
      'Whether accounts are administered elsewhere. The paths that manage passwords and logins are then unknown',
    env: 'STEWARD_MSC3861',
  }),
});
