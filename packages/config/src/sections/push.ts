import { z } from 'zod';
import { settings } from '../setting.ts';
import { isReachable } from './reachable.ts';

/** As that of webhooks. */
const TIMEOUT_MS = 15_000;
/** A gateway that takes longer holds back what waits for it. */
const MAX_TIMEOUT_MS = 60_000;

/** Requests to the push gateways of clients. */
export const push = z.strictObject({
  allowed_addresses: z
    .array(
      z
        .string()
        .refine(isReachable, 'must be an IP address, a range in CIDR notation or a host name in lower case'),
    )
    .default([])
    .register(settings, {
      env: 'STEWARD_PUSH_ALLOWED_ADDRESSES',
      governs:
        'IP addresses, ranges in CIDR notation and host names that pushes may reach although they are inside: private, loopback, link-local and other special addresses, for example those of an own push gateway. A host name stands for all its addresses; it is looked up as the machine does, with its hosts file',
    }),
  timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(TIMEOUT_MS).register(settings, {
    governs:
      'The longest time of a request to a push gateway, from the look-up of its host to the end of the answer, in milliseconds',
  }),
});
