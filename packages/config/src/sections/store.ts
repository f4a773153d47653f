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
  user: z.string().min(1).optional().register(settings, {
    governs: 'The name with which the server logs in to MongoDB, unless the URL contains it',
    env: 'STEWARD_STORE_USER',
  }),
  password_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the password of `store.user`; trailing white space is ignored. It is read when a client is made: at start',
    env: 'STEWARD_STORE_PASSWORD_FILE',
  }),
  ca_file: z.string().min(1).optional().register(settings, {
    governs:
      'A PEM file with the certificates of the authorities that the certificate of the MongoDB server must come from, in place of the public ones. Connections use TLS',
    env: 'STEWARD_STORE_CA_FILE',
  }),
  certificate_file: z.string().min(1).optional().register(settings, {
    governs:
      'A PEM file with the certificate that the server shows to MongoDB; needs `store.key_file`. Connections use TLS',
    env: 'STEWARD_STORE_CERTIFICATE_FILE',
  }),
  key_file: z.string().min(1).optional().register(settings, {
    governs: 'A PEM file with the private key of `store.certificate_file`, without a passphrase',
    env: 'STEWARD_STORE_KEY_FILE',
  }),
});
