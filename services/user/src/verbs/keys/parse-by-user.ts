import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { Deps } from '../../core/deps.ts';

/** What a request asks for, by user: of users of this server, and why there is nothing of others. */
export interface ByUser<T> {
  /** By user id. */
  readonly local: ReadonlyMap<string, T>;
  /** Why nothing is known of the others: JSON by the name of their server. */
  readonly failures: Readonly<Record<string, string>>;
}

/** This server speaks to no others. */
const NOT_FEDERATED = JSON.stringify({ status: 503, message: 'This server does not federate' });

/**
 * Reads a map by user id. `read` takes the parsed value of one user and returns nothing when it
 * is of the wrong form.
 *
 * @param field where it stands in the request
 * @throws refuse.invalidParam for a key that is no user id; refuse.badJson
 */
export function parseByUser<T>(
  deps: Deps,
  field: string,
  byUser: Readonly<Record<string, string>>,
  read: (value: unknown) => T | undefined,
): ByUser<T> {
  const local = new Map<string, T>();
  const failures = new Map<string, string>();
  for (const [userId, text] of Object.entries(byUser)) {
    const user = parseUserId(userId);
    if (!user) throw refuse.invalidParam(`'${field}' has a key that is not a user id`);
    const value = read(JSON.parse(text));
    if (value === undefined) throw refuse.badJson(`'${field}' has a value of the wrong form`);
    if (user.domain === deps.serverName) local.set(userId, value);
    else failures.set(user.domain, NOT_FEDERATED);
  }
  return { local, failures: Object.fromEntries(failures) };
}

/** The JSON text of an object whose members are JSON texts. */
export function jsonObject(members: Iterable<readonly [key: string, json: string]>): string {
  return `{${[...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
