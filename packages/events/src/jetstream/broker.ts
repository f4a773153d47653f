import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import {
  type Authenticator,
  AuthorizationError,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  PermissionViolationError,
  UserAuthenticationExpiredError,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { tlsRefusal } from '@steward/kernel';
import { BusRefused } from '../errors.ts';
import { parseServers } from './parse-servers.ts';
import { inboxOf } from './permissions.ts';

/** A NATS server or cluster, and how a client authenticates. The files are read at each connection. */
export interface Broker {
  /**
   * URLs of the servers of one cluster, as a list or separated by commas: `nats://host:4222`,
   * `tls://host:4222`; credentials as `user:password@` or `token@` before the host, unless other fields name them.
   */
  readonly servers: string | readonly string[];
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** A `.creds` file. */
  readonly credentialsFile?: string | undefined;
  /** A file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  /** PEM files: the authorities that are trusted, the certificate of the client and its key. With one of them, TLS is used. */
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/**
 * The options of the client for a broker.
 *
 * @param client its name, which the broker shows, and which is part of the subjects on which it receives answers
 * @throws TypeError when a URL is not of the documented form; the message contains no credentials
 * @throws Error when a file of the broker cannot be read
 */
export function clientOptions(
  broker: Broker,
  client: string,
): NodeConnectionOptions & { readonly servers: string[] } {
  const { tls, ...servers } = parseServers(broker.servers);
  const { caFile, certificateFile, keyFile } = broker;
  const files = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certificateFile === undefined ? {} : { certFile: certificateFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
  const authenticator = authenticatorOf(broker);
  return {
    ...servers,
    name: client,
    inboxPrefix: inboxOf(client),
    ...(tls || Object.keys(files).length > 0 ? { tls: { ...files, ...identityAt(servers.servers) } } : {}),
    ...(authenticator ? { authenticator } : {}),
  };
}

/**
 * What answers a broker that asks for credentials; undefined without files of credentials.
 *
 * @throws Error when the file cannot be read
 */
export function authenticatorOf({
  user,
  passwordFile,
  credentialsFile,
  nkeyFile,
}: Broker): Authenticator | undefined {
  if (credentialsFile !== undefined) return credsAuthenticator(contentOf(credentialsFile));
  if (nkeyFile !== undefined) {
    const seed = contentOf(nkeyFile);
    return nkeyAuthenticator(() => Buffer.from(seed().toString().trim()));
  }
  if (user === undefined || passwordFile === undefined) return undefined;
  const password = contentOf(passwordFile);
  return usernamePasswordAuthenticator(user, () => password().toString().trimEnd());
}

/**
 * The refusal in a failure to connect: the credentials, the permissions or TLS. Another attempt fails in the same way until an
 * operator has corrected something.
 *
 * @returns undefined for a failure with another cause
 */
export function refusalIn(error: Error, servers: readonly string[]): BusRefused | undefined {
  const broker = `The broker at ${servers.join(', ')}`;
  const [reason = ''] = error.message.split('\n', 1);
  if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError) {
    return new BusRefused(`${broker} refuses the credentials: ${reason}`);
  }
  if (error instanceof PermissionViolationError) return new BusRefused(`${broker} refuses: ${reason}`);
  const refusal = tlsRefusal(error);
  return refusal === undefined
    ? undefined
    : new BusRefused(`${broker} cannot be reached over TLS: ${refusal}`);
}

/** What Node takes a server for, to whose address the client connects without a name. */
const UNNAMED = 'localhost';

/** Checks that the certificate of a server at an address is valid for the address; the client does so for names only. */
function identityAt(servers: readonly string[]): Pick<ConnectionOptions, 'checkServerIdentity'> {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  if (addresses.length === 0) return {};
  const unnamed = hosts.includes(UNNAMED) ? [...addresses, UNNAMED] : addresses;
  return {
    checkServerIdentity(name, certificate) {
      const refusals = (name === UNNAMED ? unnamed : [name]).map((host) =>
        checkServerIdentity(host, certificate),
      );
      return refusals.includes(undefined) ? undefined : refusals[0];
    },
  };
}

/** Reads a file each time. While it cannot be read, because it is being replaced, its earlier content counts. */
function contentOf(path: string): () => Buffer {
  let content = readFileSync(path);
  return () => {
    try {
      content = readFileSync(path);
    } catch {}
    return content;
  };
}
