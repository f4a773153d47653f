import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { Conflict, Unavailable, Unusable } from '../../port/errors.ts';

const DUPLICATE_KEY = 11000;

/** The server requires other credentials for the operation, or any at all. */
const UNAUTHORIZED = 13;

/** How servers name the index in the message of a duplicate key: MongoDB, FerretDB. */
const NAMED_INDEX = [/ index: (\S+) /, /: Index '([^']+)'$/];

/**
 * The message of PostgreSQL that FerretDB returns as an internal error when `findAndModify` violates a unique index. It
 * names neither the index nor its keys.
 */
const DUPLICATE_ID = /violates unique constraint "collection_pk_/;
const DUPLICATE_IN_SOME_INDEX = /violates exclusion constraint "documents_/;

/** The operation conflicted with another one, and the server undid it. */
const WRITE_CONFLICT = 112;
/** FerretDB: PostgreSQL undid the operation, because of a deadlock or a conflict with another one. */
const DEADLOCK = ofPostgres('40P01');
const NOT_SERIALIZABLE = ofPostgres('40001');
const UNDONE: ReadonlySet<unknown> = new Set([WRITE_CONFLICT, DEADLOCK, NOT_SERIALIZABLE]);
/** The messages of PostgreSQL that FerretDB returns as internal errors when it undid a `findAndModify`. */
const UNDONE_MESSAGE = /^(?:deadlock detected|could not serialize access)/;
const DEADLOCK_MESSAGE = /^deadlock detected/;

/** Server errors that the operation did not cause. */
const TROUBLE: ReadonlySet<unknown> = new Set([
  1, // InternalError: FerretDB cannot reach PostgreSQL, or has no connection to it left
  6, // HostUnreachable
  7, // HostNotFound
  18, // AuthenticationFailed, of a new connection: the password has been changed since the start
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  WRITE_CONFLICT,
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
  DEADLOCK,
  NOT_SERIALIZABLE,
  ofPostgres('53100'), // disk_full
  ofPostgres('53200'), // out_of_memory
  ofPostgres('53300'), // too_many_connections
  ofPostgres('55P03'), // lock_not_available
  ofPostgres('57P01'), // admin_shutdown
  ofPostgres('57P02'), // crash_shutdown
  ofPostgres('57P03'), // cannot_connect_now
  ofPostgres('XX000'), // internal_error
]);

/** Server errors after which a read may succeed, possibly on another server, as MongoDB specifies for all drivers. */
const TRANSIENT: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** Error codes of sockets, from the operating system and from Node. */
const SOCKET_ERROR = /^(E[A-Z]+|ERR_(STREAM|SOCKET)_\w+)$/;

/** Whether the server undid an operation in favour of another one, so that it can be repeated. */
export function wasUndone(error: unknown): boolean {
  return error instanceof MongoServerError && (UNDONE.has(error.code) || UNDONE_MESSAGE.test(error.message));
}

/** Whether the server undid an operation because others waited for it and it for them, which it notices after a second. */
export function wasDeadlocked(error: unknown): boolean {
  return (
    error instanceof MongoServerError && (error.code === DEADLOCK || DEADLOCK_MESSAGE.test(error.message))
  );
}

/** Whether a read failed because of the connection, or because the primary has changed, so that it is worth a second attempt. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof MongoNetworkError || (error instanceof MongoServerError && TRANSIENT.has(error.code))
  );
}

/**
 * The error of the port for an error of the driver; any other error is returned as it is.
 *
 * @param candidates the unique indexes that the operation can violate, for a server that does not name the index
 */
export function translateError(error: unknown, candidates: readonly string[] = []): unknown {
  if (error instanceof MongoBulkWriteError) return translateBulkError(error, candidates);
  if (error instanceof MongoServerError) {
    const index = violatedIndex(error, candidates);
    if (index !== undefined) return new Conflict(index, { cause: error });
    if (error.code === UNAUTHORIZED) return new Unusable('The store refuses the operation', { cause: error });
    return error instanceof MongoWriteConcernError || TROUBLE.has(error.code) ? unavailable(error) : error;
  }
  // All other errors of the driver mean that no answer arrived, except those for invalid arguments.
  const unanswered = error instanceof MongoError && !(error instanceof MongoInvalidArgumentError);
  return unanswered || isOfSocket(error) ? unavailable(error) : error;
}

/** The driver does not wrap the errors of a socket that it waits for to drain. */
function isOfSocket(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && SOCKET_ERROR.test(String(error.code));
}

function translateBulkError(error: MongoBulkWriteError, candidates: readonly string[]): unknown {
  const failures = [error.writeErrors].flat();
  const other = failures.find(({ code }) => code !== DUPLICATE_KEY);
  if (other) return TROUBLE.has(other.code) ? unavailable(error) : error;
  const [first] = failures;
  if (!first) return unavailable(error);
  const index = indexIn(first.errmsg ?? '') ?? candidates[0] ?? 'unknown';
  return new Conflict(index, { insertedCount: error.insertedCount, cause: error });
}

function violatedIndex(
  { code, message, keyPattern }: MongoServerError,
  candidates: readonly string[],
): string | undefined {
  if (code === DUPLICATE_KEY) {
    const onId = Object.keys(keyPattern ?? {}).join() === '_id';
    return indexIn(message) ?? (onId ? '_id' : (candidates[0] ?? 'unknown'));
  }
  if (DUPLICATE_ID.test(message)) return '_id';
  return DUPLICATE_IN_SOME_INDEX.test(message) ? (candidates[0] ?? 'unknown') : undefined;
}

function indexIn(message: string): string | undefined {
  const name = NAMED_INDEX.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  return name === '_id_' ? '_id' : name;
}

/** The number by which FerretDB reports a code of PostgreSQL: six bits of each character, the first one lowest. */
function ofPostgres(code: string): number {
  return [...code].reduce((sum, character, i) => sum + (character.charCodeAt(0) - 0x30) * 64 ** i, 0);
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('The store could not complete the operation', { cause });
}
