import type { Config } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { type ClientCredential, type Clients, digestOf, type ServiceClient, scopeOf } from '@steward/rpc';
import { type Logger, requestId } from '@steward/telemetry';
import { type FollowedFiles, followFiles } from './follow-files.ts';

/** What a credential consists of, so that every client can send it in a header. */
const CREDENTIAL = /^[\x21-\x7e][\x20-\x7e]{15,1023}$/;

/** The clients of a process, with the files of their credentials. */
export interface OpenClients extends Clients, Pick<FollowedFiles, 'refresh' | 'close'> {}

/**
 * Reads the clients of the settings, and follows the files of their credentials.
 *
 * @param credential the internal one, which none of them may have
 * @throws Error with a message of one line for an unknown scope, and for a credential that cannot be read, is too short, or is
 *   that of another client
 */
export async function openClients(
  { services }: Pick<Config, 'services'>,
  credential: string,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<OpenClients> {
  const internal = digestOf(credential);
  const byFile = new Map<string, ClientCredential>();
  let credentials: readonly ClientCredential[] = [];
  const groups = services.clients.flatMap((configured) => {
    const setting = `services.clients (${configured.name})`;
    const client = serviceClient(configured, setting);
    return configured.credential_files.map((path, n) => ({
      setting,
      paths: [path],
      use([text = '']: readonly string[]) {
        const found = text.trimEnd();
        if (!CREDENTIAL.test(found))
          throw new Error(
            `${setting}: the credential in ${path} must be one line of 16 to 1,024 ASCII characters`,
          );
        const digest = digestOf(found);
        if (digest.equals(internal))
          throw new Error(`${setting}: the credential in ${path} is that of the server's processes`);
        for (const other of credentials)
          if (other.client !== client && other.digest.equals(digest))
            throw new Error(
              `${setting}: the credential in ${path} is that of the client ${other.client.name}`,
            );
        byFile.set(`${client.name} ${n}`, { client, digest });
        credentials = [...byFile.values()];
      },
    }));
  });
  const files = await followFiles(groups, logger);
  return {
    credentials: () => credentials,
    requestId: (sent) => requestId(sent, systemRandom),
    onUnreadable: ({ requestId: reqId, ...call }) =>
      logger.warn({ reqId, ...call }, 'the message of a call of a client could not be read'),
    refresh: () => files.refresh(),
    close: () => files.close(),
  };
}

function serviceClient(
  { name, scopes }: Config['services']['clients'][number],
  setting: string,
): ServiceClient {
  return {
    name,
    scopes: scopes.map((text) => {
      const scope = scopeOf(text);
      if (scope === undefined) throw new Error(`${setting}: ${JSON.stringify(text)} is not a scope`);
      return scope;
    }),
  };
}
