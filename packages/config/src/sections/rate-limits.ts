import { z } from 'zod';
import { settings } from '../setting.ts';

const perSecond = z.number().positive();
const burst = z.int().positive();

const bucket = (what: string, defaultPerSecond: number, defaultBurst: number) =>
  z
    .strictObject({
      per_second: perSecond
        .default(defaultPerSecond)
        .register(settings, { governs: `${what}: sustained rate per second` }),
      burst: burst.default(defaultBurst).register(settings, { governs: `${what}: maximum burst` }),
    })
    .prefault({});

const redactions = "Redactions of others' events by moderators, per user";

/** Rate limits: leaky buckets. */
export const rateLimits = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs:
      'Whether rate limits apply. They count in memory; the instances of a service share what they count',
    env: 'STEWARD_RATE_LIMIT',
  }),
  message: bucket(
    'Events sent, memberships changed and profiles changed, per user; joining counts as a join, leaving is not limited',
    0.2,
    10,
  ),
  admin_redaction: z
    .strictObject({
      per_second: perSecond.register(settings, {
        governs: `${redactions}: sustained rate per second. Without a value, they count as messages`,
      }),
      burst: burst.register(settings, { governs: `${redactions}: maximum burst` }),
    })
    .optional(),
  room_creation: bucket('Rooms created and upgraded, per user', 0.016, 10),
  joins_local: bucket('Joins, per user', 0.1, 10),
  joins_per_room: bucket('Joins, per room', 1, 10),
  invites_per_room: bucket('Invitations, per room', 0.3, 10),
  invites_per_user: bucket('Invitations, per invited user', 0.003, 5),
  invites_per_issuer: bucket('Invitations, per inviting user', 0.3, 10),
  registration: bucket('Registrations, per address', 0.17, 3),
  registration_token_validity: bucket('Checks of registration tokens, per address', 0.1, 5),
  challenge: bucket(
    'Requests that must be repeated with a password or another proof, per user, and registrations and the beginning of sign-ins with an identity provider, per address',
    0.5,
    50,
  ),
  login_address: bucket(
    'Logins, per address, also at the console, where those of administrators with the right password do not count',
    0.003,
    5,
  ),
  login_account: bucket('Successful logins, per account', 0.003, 5),
  login_failed: bucket(
    'Failed logins, per account, and failed sign-ins of the console, per account and network',
    0.17,
    3,
  ),
  console_failed: bucket(
    'Failed sign-ins of the console, per account from all networks; networks from which the account was used before are exempt',
    0.5,
    300,
  ),
  reports: bucket('Reports, per user', 1, 5),
  user_directory: bucket('Searches of the user directory, per user', 0.016, 200),
  presence: bucket('Presence changes, per user', 0.1, 1),
  media_create: bucket('Content URIs created for later uploads, per user', 10, 50),
  large_bodies: bucket('Bytes of request bodies above 64 KiB, per user', 1_048_576, 33_554_432),
  key_requests: bucket('Key requests, per device', 20, 100),
});
