import { z } from 'zod';
import { settings } from '../setting.ts';
import { allowedAddresses } from './allowed-addresses.ts';

/** As that of webhooks. */
const TIMEOUT_MS = 15_000;
/** A gateway that takes longer holds back what waits for it. */
const MAX_TIMEOUT_MS = 60_000;

/** Requests to the push gateways of clients. */
export const push = z.strictObject({
  allowed_addresses: allowedAddresses(
    'pushes',
    'STEWARD_PUSH_ALLOWED_ADDRESSES',
    ', for example those of an own push gateway',
  ),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(TIMEOUT_MS).register(settings, {
    governs:
      'The longest time of a request to a push gateway, from the look-up of its host to the end of the answer, in milliseconds',
  }),
});
