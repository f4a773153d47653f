import { z } from 'zod';
import { settings } from '../setting.ts';

const NATS_SCHEME = /^(?:nats|tls):\/\/[^\s]/;

function areNatsUrls(text: string): boolean {
  return text.split(',').every((url) => NATS_SCHEME.test(url) && URL.canParse(url));
}

/** The bus over which services publish facts. */
export const bus = z.strictObject({
  nats_url: z
    .string()
    .refine(areNatsUrls, 'must be a nats:// or tls:// URL, or several with commas between them')
    .optional()
    .register(settings, {
      governs:
        'The URL of the NATS server, or several URLs separated by commas. Without a value, facts are delivered within the process',
      env: 'STEWARD_NATS_URL',
    }),
  namespace: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must hold lower-case letters, digits and _ only')
    .default('steward')
    .register(settings, {
      governs:
        'The prefix of streams and subjects on the broker; servers that share a broker need different ones',
    }),
});
