/** The time limits of the database client, as parameters of the URL. */
const LONG_TIMEOUTS = {
  serverSelectionTimeoutMS: '30000',
  connectTimeoutMS: '30000',
  waitQueueTimeoutMS: '30000',
  socketTimeoutMS: '60000',
} as const;

/**
 * The URL of a MongoDB server with time limits that tolerate a server slowed down by a busy machine, for tests that
 * do not stop the server on purpose.
 */
export function withLongTimeouts(url: string): string {
  const stated = new URL(url);
  for (const [name, value] of Object.entries(LONG_TIMEOUTS)) stated.searchParams.set(name, value);
  return stated.href;
}
