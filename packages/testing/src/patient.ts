/** How long is waited for the database, as parameters of its URL. */
const PATIENCE = {
  serverSelectionTimeoutMS: '30000',
  connectTimeoutMS: '30000',
  waitQueueTimeoutMS: '30000',
  socketTimeoutMS: '60000',
} as const;

/**
 * The URL of a MongoDB server for tests that do not mean it to be away: whoever uses it bears with one that a busy
 * machine keeps from answering.
 */
export function patient(url: string): string {
  const stated = new URL(url);
  for (const [name, value] of Object.entries(PATIENCE)) stated.searchParams.set(name, value);
  return stated.href;
}
