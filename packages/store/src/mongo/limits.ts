import type { MongoClientOptions } from 'mongodb';

/** Connections to one server. An operation takes about a millisecond over there, so that these do thousands a second. */
const MAX_CONNECTIONS = 32;
/** The wait for a free connection, in milliseconds: when it is longer, the store is overloaded and should say so. */
const CONNECTION_WAIT_MS = 2_000;
/** The wait for a server that can be written to, in milliseconds. Callers wait for an answer; an election may take longer. */
const SERVER_WAIT_MS = 2_000;
/** The time to connect, in milliseconds; within a data centre it takes a few. */
const CONNECT_LIMIT_MS = 2_000;
/** The silence after which a connection counts as dead, in milliseconds; longer than any operation may take. */
const SILENCE_LIMIT_MS = 30_000;
/** The time for a write to reach the majority of a replica set, in milliseconds. */
const REPLICATION_LIMIT_MS = 10_000;

/** The time a server works on one read, in milliseconds; it stops then, even if nobody waits any more. */
export const READ_LIMIT_MS = 20_000;
/** The same for a search, which may have to look at every document. */
export const SEARCH_LIMIT_MS = 5_000;
/** The time in which a healthy server answers, in milliseconds. */
export const HEALTH_LIMIT_MS = 1_000;
/** Documents that one answer of the server carries at most. */
export const BATCH = 1_000;

/** What the port promises, which no URL may change. */
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

/** The driver's options for a URL. The limits give way to those that the URL states itself, as `?maxPoolSize=8`. */
export function clientOptions(url: string): MongoClientOptions {
  const stated = new Set(
    [...new URLSearchParams(url.split('?')[1]).keys()].map((option) => option.toLowerCase()),
  );
  const limits = Object.entries(LIMITS).filter(([option]) => !stated.has(option.toLowerCase()));
  return { ...Object.fromEntries(limits), ...GUARANTEES };
}
