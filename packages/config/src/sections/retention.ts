import { z } from 'zod';
import { settings } from '../setting.ts';

const MINUTE_MS = 60 * 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A mistyped unit should not empty a server. */
const ageMs = z.int().min(DAY_MS);

const unused = (of: string, kept: string) =>
  ageMs.optional().register(settings, {
    governs: `For how long media of ${of} are kept that are not used, in milliseconds: since their last download, or since their upload if they never were downloaded. Kept in any case: ${kept}. Without a value, all are kept`,
  });

/** What the server deletes by itself when it is old; by default nothing. */
export const retention = z.strictObject({
  // Ended tasks are kept for a day, and the task of an interval shows that it has begun.
  interval_ms: z.int().min(MINUTE_MS).max(DAY_MS).default(DAY_MS).register(settings, {
    governs:
      'How often the server looks for what is too old, in milliseconds; see [operations](security.md#retention)',
  }),
  messages: z
    .strictObject({
      max_age_ms: ageMs.optional().register(settings, {
        governs:
          'For how long the messages of rooms are kept, in milliseconds. The state of a room and its newest event stay. Without a value, for ever',
      }),
      rooms: z
        .record(
          z.string().startsWith('!', 'must be the id of a room'),
          z.union([ageMs, z.literal('forever')]),
        )
        .default({})
        .register(settings, {
          governs:
            'Other times for single rooms: a map of the ids of rooms to milliseconds, or `forever`. It may name rooms that are gone',
        }),
    })
    .prefault({}),
  device_messages: z
    .strictObject({
      max_age_ms: ageMs.optional().register(settings, {
        governs:
          'For how long messages between devices wait for a device that does not fetch them, in milliseconds: mostly keys of encrypted messages, which the device then cannot read. Without a value, for ever',
      }),
    })
    .prefault({}),
  media: z
    .strictObject({
      local_max_unused_ms: unused(
        'users of this server',
        'media that are quarantined, protected from quarantine, or the avatar of an account, a room or a member',
      ),
      remote_max_unused_ms: unused('other servers', 'quarantined media'),
    })
    .prefault({}),
});
