import { z } from 'zod';
import { settings } from '../setting.ts';
import { allowedAddresses } from './allowed-addresses.ts';

/** As Standard Webhooks recommends. */
const TIMEOUT_MS = 15_000;
/** A receiver that takes longer holds back what waits for it. */
const MAX_TIMEOUT_MS = 60_000;

const DELIVERY_RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Few enough that every change of the feed can be sent to all of them. */
const MAX_WEBHOOKS = 100;

/** Requests to other servers about events of the feed. */
export const webhooks = z.strictObject({
  allowed_addresses: allowedAddresses('webhooks', 'STEWARD_WEBHOOKS_ALLOWED_ADDRESSES'),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(TIMEOUT_MS).register(settings, {
    governs:
      'The longest time of a request of a webhook, from the look-up of its host to the end of the answer, in milliseconds',
  }),
  max_webhooks: z.int().min(0).max(1_000).default(MAX_WEBHOOKS).register(settings, {
    governs: 'How many webhooks the server has at most',
  }),
  delivery_retention_ms: z.int().positive().default(DELIVERY_RETENTION_MS).register(settings, {
    governs: 'The retention time of deliveries of webhooks, in milliseconds',
  }),
});
