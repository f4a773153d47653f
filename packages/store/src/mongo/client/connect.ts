import { readFile } from 'node:fs/promises';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { Unusable } from '../../port/errors.ts';
import { connectError, unusableUrl } from '../translate/connect-error.ts';
import { clientOptions } from './limits.ts';

const DEFAULT_DATABASE = 'steward';

/** A MongoDB server, and how a client authenticates. The files are read for each new client. */
export interface MongoServer {
  /**
   * A `mongodb://` or `mongodb+srv://` URL. Limits that it states, e.g. `maxPoolSize`, replace ours. It cannot change the
   * guarantees of the port (majority, journal, primary).
   */
  readonly url: string;
  /** The name and the file with the password, unless the URL contains both. */
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** PEM files: the authorities that are trusted, the certificate of the client and its key. With one of them, TLS is used. */
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/**
 * Connects to a server.
 *
 * @throws Unavailable when the server cannot be reached
 * @throws Unusable when the URL or a file is not valid, the server refuses the credentials or is too old, or the two cannot
 * agree on TLS
 */
export async function connect(
  server: MongoServer,
  options: { socketTimeoutMS?: number } = {},
): Promise<MongoClient> {
  const { url } = server;
  const access = await accessOptions(server);
  const client = createClient(url, { ...access, ...options });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw connectError(error, url);
  }
}

async function accessOptions(server: MongoServer): Promise<MongoClientOptions> {
  const { user, passwordFile, caFile, certificateFile, keyFile } = server;
  const [password, ca, cert, key] = await Promise.all(
    [passwordFile, caFile, certificateFile, keyFile].map((path) => path && read(path)),
  );
  return {
    ...(user === undefined ? {} : { auth: { username: user, password: (password ?? '').trimEnd() } }),
    ...(ca || cert || key ? { tls: true } : {}),
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Unusable(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function createClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, { ...clientOptions(url), ...options });
  } catch (cause) {
    throw unusableUrl(cause, url);
  }
}

/** The database that a URL names, or else the default one. */
export function databaseOf(url: string): string {
  const path = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  try {
    return path === undefined ? DEFAULT_DATABASE : decodeURIComponent(path);
  } catch (cause) {
    throw unusableUrl(cause, url);
  }
}
