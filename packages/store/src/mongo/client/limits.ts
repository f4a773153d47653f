import type { MongoClientOptions } from 'mongodb';

/** The most connections to one server. An operation takes about a millisecond there, so these run thousands a second. */
const MAX_CONNECTIONS = 32;
/** The longest wait for a free connection, in milliseconds; after it the store counts as overloaded. */
const CONNECTION_WAIT_MS = 2_000;
/** The longest wait for a writable server, in milliseconds. An election can take longer, but callers wait for an answer. */
const SERVER_WAIT_MS = 2_000;
/** The longest time to connect, in milliseconds; within a data centre it takes a few. */
const CONNECT_LIMIT_MS = 2_000;
/** The silence after which a connection counts as broken, in milliseconds; longer than the limit of any operation. */
const SILENCE_LIMIT_MS = 30_000;
/** The longest time for a write to reach the majority of a replica set, in milliseconds. */
const REPLICATION_LIMIT_MS = 10_000;

/** The longest time that the server works on one read, in milliseconds; it stops then, even without a caller. */
export const READ_LIMIT_MS = 20_000;
/** The same for a search, which can read every document. */
export const SEARCH_LIMIT_MS = 5_000;
/** The longest time in which a healthy server answers, in milliseconds. */
export const HEALTH_LIMIT_MS = 1_000;
/** The most documents in one answer of the server, while documents are read one by one. */
export const BATCH = 1_000;
/** The most documents in one answer where all are wanted at once; to decode so many small ones takes about 4 ms. */
export const MAX_ARRAY = 10_000;

/** The guarantees of the port, which a URL cannot change. */
const GUARANTEES: MongoClientOptions = {
  ignoreUndefined: true,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: REPLICATION_LIMIT_MS },
};

const LIMITS: MongoClientOptions = {
  appName: 'steward',
  maxPoolSize: MAX_CONNECTIONS,
  waitQueueTimeoutMS: CONNECTION_WAIT_MS,
  serverSelectionTimeoutMS: SERVER_WAIT_MS,
  connectTimeoutMS: CONNECT_LIMIT_MS,
  socketTimeoutMS: SILENCE_LIMIT_MS,
};

/** The driver's options for a URL. A limit that the URL states, e.g. `?maxPoolSize=8`, replaces ours. */
export function clientOptions(url: string): MongoClientOptions {
  const stated = new Set(
    [...new URLSearchParams(url.split('?')[1]).keys()].map((option) => option.toLowerCase()),
  );
  const limits = Object.entries(LIMITS).filter(([option]) => !stated.has(option.toLowerCase()));
  return { ...Object.fromEntries(limits), ...GUARANTEES };
}
