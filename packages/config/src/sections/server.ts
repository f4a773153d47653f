import { z } from 'zod';
import { settings } from '../setting.ts';
import { isProxyRange } from './proxy-range.ts';
import { isServerName } from './server-name.ts';

/** The server: its name, address and data directory. */
export const server = z.strictObject({
  name: z
    .string()
    .toLowerCase()
    .refine(isServerName, 'must be a host name, an IPv4 address or an [IPv6] address, with an optional :port')
    .default('localhost')
    .register(settings, {
      governs:
        'The server name, part of every user id and room alias, for example `example.org`. It cannot be changed after the first start: a store keeps its name, and a start with another one is refused',
      env: 'STEWARD_SERVER_NAME',
    }),
  host: z.string().min(1).default('127.0.0.1').register(settings, {
    governs: 'The address to listen on. `0.0.0.0` or `::` makes the server reachable from other machines',
    env: 'STEWARD_HOST',
  }),
  port: z.int().min(0).max(65_535).default(8008).register(settings, {
    governs: 'The port to listen on. 0 selects any free port',
    env: 'STEWARD_PORT',
  }),
  grpc_port: z.int().min(0).max(65_535).optional().register(settings, {
    governs:
      'The port on which one process serves gRPC, gRPC-Web and Connect to the programs in `services.clients`, see [grpc.md](grpc.md); with `services.tls` over TLS. 0 selects any free port. Without this setting it serves none. The services of several processes serve them on `server.port`',
    env: 'STEWARD_GRPC_PORT',
  }),
  data: z.string().min(1).default('./data').register(settings, {
    governs: 'The directory of the embedded store and of media files. Created if missing',
    env: 'STEWARD_DATA',
  }),
  public_baseurl: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .register(settings, {
      governs:
        'The URL at which clients reach the server, published for client discovery. Without a value, discovery answers 404',
      env: 'STEWARD_PUBLIC_BASEURL',
    }),
  documentation: z.boolean().default(true).register(settings, {
    governs:
      'Whether the API description is served, at `/_service/openapi.json` and as pages at `/_service/docs`',
    env: 'STEWARD_DOCUMENTATION',
  }),
  console: z.boolean().default(true).register(settings, {
    governs: 'Whether the web console is served, at `/_service/console`',
    env: 'STEWARD_CONSOLE',
  }),
  compat_prefixes: z.boolean().default(true).register(settings, {
    governs:
      'Whether the paths `/_synapse/admin`, `/_matrix/client`, `/_matrix/media` and `/_matrix/key` are served as well, so that existing tools work unmodified',
    env: 'STEWARD_COMPAT_PREFIXES',
  }),
  trusted_proxies: z
    .array(
      z
        .string()
        .refine(
          isProxyRange,
          'must be an IP address, a range such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
        ),
    )
    .default(['loopback'])
    .register(settings, {
      governs:
        'The proxies whose `X-Forwarded-For` (without it `Forwarded`) and `X-Forwarded-Proto` headers are trusted: addresses, ranges, or the names `loopback`, `linklocal` and `uniquelocal`',
      env: 'STEWARD_TRUSTED_PROXIES',
    }),
});
