import { tlsRefusal } from '@steward/kernel';
import {
  MongoAPIError,
  MongoCompatibilityError,
  MongoError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { Unavailable, Unusable } from '../../port/errors.ts';

/** The codes with which servers refuse credentials. */
const REFUSED: ReadonlySet<unknown> = new Set([
  13, // Unauthorized
  18, // AuthenticationFailed
  8000, // AtlasError
]);

/** Everything of a URL before its hosts, up to the last `@`, because a password may contain others. */
const BEFORE_HOSTS = /^[^:]*:\/\/(?:.*@)?/s;

/** The hosts of a URL, without its credentials, database and options. */
export function addressOf(url: string): string {
  return url.replace(BEFORE_HOSTS, '').replace(/[/?].*$/s, '');
}

/** The error of the port for a URL that the driver does not accept. */
export function unusableUrl(cause: unknown, url: string): Unusable {
  return new Unusable(`The URL of the database at ${addressOf(url)} cannot be used: ${reasonOf(cause)}`, {
    cause,
  });
}

/**
 * The error of the port for a failure to connect. Its message has one line with address and cause, and no credentials.
 *
 * @returns Unusable for what a later attempt cannot mend, otherwise Unavailable
 */
export function connectError(cause: unknown, url: string): Unavailable | Unusable {
  const database = `The database at ${addressOf(url)}`;
  if (cause instanceof MongoServerError && REFUSED.has(cause.code)) {
    return new Unusable(`${database} refuses the credentials: ${reasonOf(cause)}`, { cause });
  }
  if (cause instanceof MongoCompatibilityError) {
    return new Unusable(`${database} is not supported: ${reasonOf(cause)}`, { cause });
  }
  const refusal = tlsRefusalOf(cause);
  if (refusal !== undefined)
    return new Unusable(`${database} cannot be reached over TLS: ${refusal}`, {
      cause,
    });
  if (cause instanceof MongoAPIError) return unusableUrl(cause, url);
  // Neither the driver nor a socket: for example a password with characters that logins must not have.
  if (!(cause instanceof MongoError) && !(cause instanceof Error && 'code' in cause)) {
    return new Unusable(`${database} cannot be used: ${reasonOf(cause)}`, { cause });
  }
  return new Unavailable(`${database} cannot be reached: ${reasonOf(cause)}`, { cause });
}

/** Why no server of the URL agrees on TLS; undefined when one of them could not be reached for another reason. */
function tlsRefusalOf(cause: unknown): string | undefined {
  if (!(cause instanceof MongoServerSelectionError)) return tlsRefusal(cause);
  const refusals = [...(cause.reason?.servers?.values() ?? [])].map(({ error }) => tlsRefusal(error));
  return refusals.every((refusal) => refusal !== undefined) ? refusals[0] : undefined;
}

/** The first line of the message; the driver's continue with details. */
function reasonOf(cause: unknown): string {
  const { message } = cause as Error;
  return (message.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}
