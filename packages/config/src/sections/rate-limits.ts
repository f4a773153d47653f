import { z } from 'zod';
import { settings } from '../setting.ts';

const perSecond = z.number().positive();
const burst = z.int().positive();

const bucket = (whose: string, defaultPerSecond: number, defaultBurst: number) =>
  z
    .strictObject({
      per_second: perSecond
        .default(defaultPerSecond)
        .register(settings, { governs: `${whose}: how many a second in the long run` }),
      burst: burst.default(defaultBurst).register(settings, { governs: `${whose}: how many at once` }),
    })
    .prefault({});

const redactions = "Redactions of others' events by moderators, a user";

/** How often things may be done: leaky buckets. */
export const rateLimits = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs:
      'Whether the rate limits hold. They count in memory, so each instance of a service admits as much by itself',
    env: 'STEWARD_RATE_LIMIT',
  }),
  message: bucket('Events sent and profile changes, a user', 0.2, 10),
  admin_redaction: z
    .strictObject({
      per_second: perSecond.register(settings, {
        governs: `${redactions}: how many a second in the long run. Without a value, they count as messages`,
      }),
      burst: burst.register(settings, { governs: `${redactions}: how many at once` }),
    })
    .optional(),
  room_creation: bucket('Rooms created and upgraded, a user', 0.016, 10),
  joins_local: bucket('Joins, a user', 0.1, 10),
  joins_per_room: bucket('Joins, a room', 1, 10),
  invites_per_room: bucket('Invitations, a room', 0.3, 10),
  invites_per_user: bucket('Invitations, an invited user', 0.003, 5),
  invites_per_issuer: bucket('Invitations, an inviting user', 0.3, 10),
  registration: bucket('Registrations, an address', 0.17, 3),
  registration_token_validity: bucket('Checks of registration tokens, an address', 0.1, 5),
  login_address: bucket('Logins, an address', 0.003, 5),
  login_account: bucket('Successful logins, an account', 0.003, 5),
  login_failed: bucket('Failed logins, an account', 0.17, 3),
  reports: bucket('Reports, a user', 1, 5),
  user_directory: bucket('Searches of the user directory, a user', 0.016, 200),
  presence: bucket('Presence changes, a user', 0.1, 1),
  key_requests: bucket('Key requests, a device', 20, 100),
});

/** The rate and the size of one leaky bucket. */
export type Bucket = z.infer<typeof rateLimits>['message'];
