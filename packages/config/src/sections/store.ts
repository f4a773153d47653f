import { z } from 'zod';
import { settings } from '../setting.ts';

const STORE_URL = /^(?:sqlite|mongodb(?:\+srv)?:\/\/.+)$/;

/** The database. */
export const store = z.strictObject({
  url: z
    .string()
    .regex(STORE_URL, 'must be sqlite or a mongodb:// URL')
    .default('sqlite')
    .register(settings, {
      governs:
        'The store: `sqlite`, one file in the data directory, or the `mongodb://` URL of a MongoDB server',
      env: 'STEWARD_STORE',
    }),
});
