import { z } from 'zod';
import { settings } from '../setting.ts';

/** How the processes of one server reach and know each other. Not used when everything runs in one. */
export const services = z.strictObject({
  credential: z.string().min(16).optional().register(settings, {
    governs:
      'The secret by which the processes of one server know each other; the same for all of them, at least 16 characters',
    env: 'STEWARD_INTERNAL_CREDENTIAL',
  }),
  credential_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that holds the internal credential; white space at its end does not count. Not together with `services.credential`',
    env: 'STEWARD_INTERNAL_CREDENTIAL_FILE',
  }),
  user_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs: 'Where the instances of the user service listen, one URL for each',
      env: 'STEWARD_USER_URLS',
    }),
  room_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs: 'Where the instances of the room service listen, one URL for each',
      env: 'STEWARD_ROOM_URLS',
    }),
  media_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs: 'Where the instances of the media service listen, one URL for each',
      env: 'STEWARD_MEDIA_URLS',
    }),
  moderation_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs: 'Where the instances of the moderation service listen, one URL for each',
      env: 'STEWARD_MODERATION_URLS',
    }),
});
