import { z } from 'zod';
import { settings } from '../setting.ts';

const limit = (byDefault: number, governs: string) =>
  z.int().positive().default(byDefault).register(settings, { governs });

/** What a gateway holds at once. A caller is the account of a token; without a known token, an address. */
export const admission = z
  .strictObject({
    max_requests: limit(
      1_000,
      'The requests that a gateway works on at once; more wait, then are refused with 503',
    ),
    reserved_for_administrators: z.int().nonnegative().default(100).register(settings, {
      governs: 'How many of `max_requests` only administrators use',
    }),
    max_requests_per_user: limit(
      100,
      'The requests of one user at once, until their answers are sent; more wait, then are refused with 429',
    ),
    max_requests_per_address: limit(
      100,
      'The same for all requests from one address without a token, or with one that the gateway has not seen yet',
    ),
    max_long_polls: limit(10_000, 'The requests that wait for news at once; more are refused with 503'),
    max_long_polls_per_user: limit(
      200,
      'The same for one user, or one address as above; more are refused with 429',
    ),
    max_event_streams: limit(
      10_000,
      'The event streams that a gateway serves at once; more are refused with 429',
    ),
    max_event_streams_per_credential: limit(
      20,
      'The same for one access token, automation token or administrator session',
    ),
    max_connections: limit(
      16_000,
      'The connections of a gateway; the longest idle one closes for a new one. The operating system must permit as many open files',
    ),
    max_idle_connections_per_address: limit(
      1_000,
      'The connections from one address that have had no request for two seconds, and those that wait for another one; the longest idle one of them closes for a new one',
    ),
  })
  .refine(({ max_requests, reserved_for_administrators }) => reserved_for_administrators < max_requests, {
    path: ['reserved_for_administrators'],
    error: 'must be less than admission.max_requests',
  });
