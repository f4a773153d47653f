import { z } from 'zod';
import { settings } from '../setting.ts';

/** How the processes of one server reach and authenticate each other. Not used when all services run in one process. */
export const services = z.strictObject({
  credential: z.string().min(16).optional().register(settings, {
    secret: true,
    governs:
      'The secret with which the processes of one server authenticate to each other; the same in all of them, at least 16 characters',
    env: 'STEWARD_INTERNAL_CREDENTIAL',
  }),
  credential_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the internal credential; trailing white space is ignored. Excludes `services.credential`',
    env: 'STEWARD_INTERNAL_CREDENTIAL_FILE',
  }),
  user_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs:
        'The URLs of the instances of the user service; a host name stands for all addresses that it has',
      env: 'STEWARD_USER_URLS',
    }),
  room_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs:
        'The URLs of the instances of the room service; a host name stands for all addresses that it has',
      env: 'STEWARD_ROOM_URLS',
    }),
  media_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs:
        'The URLs of the instances of the media service; a host name stands for all addresses that it has',
      env: 'STEWARD_MEDIA_URLS',
    }),
  moderation_urls: z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// URLs' }))
    .default([])
    .register(settings, {
      governs:
        'The URLs of the instances of the moderation service; a host name stands for all addresses that it has',
      env: 'STEWARD_MODERATION_URLS',
    }),
});
