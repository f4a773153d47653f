import { z } from 'zod';
import { settings } from '../setting.ts';

/** The URLs of the instances of a service. Whether they are http or https follows from `services.tls`. */
const urls = (service: string) =>
  z
    .array(z.url({ protocol: /^https?$/, error: 'must be http:// or https:// URLs' }))
    .default([])
    .register(settings, {
      governs: `The URLs of the instances of the ${service} service, with https:// if \`services.tls\` is set; a host name stands for all addresses that it has`,
      env: `STEWARD_${service.toUpperCase()}_URLS`,
    });

/** A program that calls services over gRPC with a credential of its own. */
const client = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_.-]{0,63}$/,
      'must be at most 64 of a-z, 0-9, _, . and -, and begin with a letter or a digit',
    ),
  credential_files: z
    .array(z.string().min(1))
    .min(1, 'must name one file, or two')
    .max(2, 'must name one file, or two'),
  scopes: z.array(z.string()).min(1, 'must name at least one scope'),
});

const file = (governs: string, env: `STEWARD_${string}`) =>
  z
    .string()
    .min(1)
    .optional()
    .register(settings, {
      governs: `${governs}. Read again when it changes. Needs the other two files of \`services.tls\``,
      env,
    });

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
  clients: z
    .array(client)
    .refine((clients) => new Set(clients.map(({ name }) => name)).size === clients.length, {
      error: 'must have different names',
    })
    .default([])
    .register(settings, {
      governs:
        'The programs that may call services over gRPC, see [grpc.md](grpc.md): `name`; `credential_files`, one file with its credential or two during a rotation, which are read again when they change; `scopes`, see [access.md](access.md)',
    }),
  tls: z
    .strictObject({
      ca_file: file(
        'A PEM file with the certificates of the authorities from which the certificates of all processes and clients come. Connections between processes use TLS, on which both ends show a certificate',
        'STEWARD_SERVICES_CA_FILE',
      ),
      certificate_file: file(
        'A PEM file with the certificate of the process, valid for the host names in the URLs of its service',
        'STEWARD_SERVICES_CERTIFICATE_FILE',
      ),
      key_file: file('A PEM file with the private key of that certificate', 'STEWARD_SERVICES_KEY_FILE'),
    })
    .prefault({}),
  user_urls: urls('user'),
  room_urls: urls('room'),
  media_urls: urls('media'),
  moderation_urls: urls('moderation'),
});
