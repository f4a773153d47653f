import { z } from 'zod';
import { settings } from '../setting.ts';

const NATS_SCHEME = /^(?:nats|tls):\/\/[^\s]/;

function areNatsUrls(text: string): boolean {
  return text.split(',').every((url) => NATS_SCHEME.test(url) && URL.canParse(url));
}

/** The bus over which services publish facts. */
export const bus = z.strictObject({
  nats_url: z
    .string()
    .refine(areNatsUrls, 'must be a nats:// or tls:// URL, or several with commas between them')
    .optional()
    .register(settings, {
      governs:
        'The URL of the NATS server, or several URLs separated by commas. Without a value, facts are delivered within the process',
      env: 'STEWARD_NATS_URL',
    }),
  nats_user: z.string().min(1).optional().register(settings, {
    governs: 'The name with which the server logs in to NATS, unless the URL contains it',
    env: 'STEWARD_NATS_USER',
  }),
  nats_password_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the password of `bus.nats_user`; trailing white space is ignored. It is read at each connection',
    env: 'STEWARD_NATS_PASSWORD_FILE',
  }),
  nats_credentials_file: z.string().min(1).optional().register(settings, {
    governs:
      'A `.creds` file, with the JWT and the seed of a NATS user. It is read at each connection. Excludes user and password',
    env: 'STEWARD_NATS_CREDENTIALS_FILE',
  }),
  nats_nkey_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the seed of the nkey of a NATS user. It is read at each connection. Excludes the other credentials',
    env: 'STEWARD_NATS_NKEY_FILE',
  }),
  nats_ca_file: z.string().min(1).optional().register(settings, {
    governs:
      'A PEM file with the certificates of the authorities that the certificate of the NATS server must come from, in place of the public ones. It is read at each connection. Connections use TLS',
    env: 'STEWARD_NATS_CA_FILE',
  }),
  nats_certificate_file: z.string().min(1).optional().register(settings, {
    governs:
      'A PEM file with the certificate that the server shows to NATS; needs `bus.nats_key_file`. It is read at each connection. Connections use TLS',
    env: 'STEWARD_NATS_CERTIFICATE_FILE',
  }),
  nats_key_file: z.string().min(1).optional().register(settings, {
    governs: 'A PEM file with the private key of `bus.nats_certificate_file`, without a passphrase',
    env: 'STEWARD_NATS_KEY_FILE',
  }),
  namespace: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must hold lower-case letters, digits and _ only')
    .default('steward')
    .register(settings, {
      governs:
        'The prefix of streams and subjects on the broker; servers that share a broker need different ones',
    }),
});
