import { MongoClient } from 'mongodb';
import { connectError, unusableUrl } from '../translate/connect-error.ts';
import { clientOptions } from './limits.ts';

const DEFAULT_DATABASE = 'steward';

/**
 * Connects to a server.
 *
 * @throws Unavailable when the server cannot be reached
 * @throws Unusable when the URL is not valid, or the server refuses its credentials or is too old
 */
export async function connect(url: string, options: { socketTimeoutMS?: number } = {}): Promise<MongoClient> {
  const client = createClient(url, options);
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw connectError(error, url);
  }
}

function createClient(url: string, options: { socketTimeoutMS?: number }): MongoClient {
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
