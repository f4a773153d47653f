import { z } from 'zod';
import { settings } from '../setting.ts';

/** Authentication by another service (MSC3861). */
export const delegatedAuthentication = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs:
      'Whether an external service manages accounts. If so, the paths for passwords and logins are not served',
    env: 'STEWARD_MSC3861',
  }),
});
