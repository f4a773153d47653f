import { z } from 'zod';
import { settings } from '../setting.ts';

const NATS_URLS = /^(?:nats|tls):\/\/[^\s,]+(?:,(?:nats|tls):\/\/[^\s,]+)*$/;

/** How services tell each other what happened. */
export const bus = z.strictObject({
  nats_url: z
    .string()
    .regex(NATS_URLS, 'must be a nats:// or tls:// URL, or several with commas between them')
    .optional()
    .register(settings, {
      governs:
        'The URL of the NATS server, or several with commas between them. Without one, facts are delivered within the process',
      env: 'STEWARD_NATS_URL',
    }),
  namespace: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must hold lower-case letters, digits and _ only')
    .default('steward')
    .register(settings, {
      governs: 'What streams and subjects on the broker begin with; keeps servers that share a broker apart',
    }),
});
