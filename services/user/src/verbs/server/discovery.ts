import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { GetSupportResponseSchema } from '@steward/proto/steward/user/v1/server_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** How long the description of the server's keys is said to hold, in milliseconds: a day. */
const KEYS_HOLD_MS = 24 * 60 * 60 * 1000;

/** The port of a URL that names none. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Where clients reach the server (client-plane.md 7.1). */
export function getClientDiscovery({ settings }: Deps) {
  return { homeserver: { baseUrl: publicBaseUrl(settings) } };
}

/** Whom users turn to (client-plane.md 7.1). */
export function getSupport({ settings }: Deps): MessageInitShape<typeof GetSupportResponseSchema> {
  const { contacts, page } = settings.support;
  if (contacts.length === 0 && page === undefined) throw refuse.notFound('Nobody said whom to turn to');
  return {
    contacts: contacts.map(({ matrix_id: matrixId, email_address: emailAddress, role }) => ({
      ...(matrixId === undefined ? {} : { matrixId }),
      ...(emailAddress === undefined ? {} : { emailAddress }),
      role,
    })),
    ...(page === undefined ? {} : { supportPage: page }),
  };
}

/** Where existing tools reach the server (existing-tools.md). */
export function getServerDiscovery({ settings }: Deps) {
  const { hostname, port, protocol } = new URL(publicBaseUrl(settings));
  return { server: `${hostname}:${port || DEFAULT_PORTS[protocol]}` };
}

/** The server's name, as existing tools ask for it (existing-tools.md). */
export function getServerKeys({ serverName, clock }: Deps) {
  return { serverName, validUntilTs: BigInt(clock.now() + KEYS_HOLD_MS) };
}

/** @throws refuse.notFound where nobody said */
function publicBaseUrl({ publicBaseUrl: url }: Deps['settings']): string {
  if (url === undefined) throw refuse.notFound('Nobody said where the server is reached');
  return url;
}
