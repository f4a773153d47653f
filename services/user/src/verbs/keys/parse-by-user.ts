import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import type { Deps } from '../../core/deps.ts';

/** The values of a request by user of this server, and the failures for other servers. */
export interface ByUser<T> {
  /** By user id. */
  readonly local: ReadonlyMap<string, T>;
  /** Why there is no result for users of other servers: JSON by server name. */
  readonly failures: Readonly<Record<string, string>>;
}

/** The failure of every other server. */
const NOT_FEDERATED = JSON.stringify({ status: 503, message: 'This server does not federate' });

/**
 * Parses a map by user id. `read` takes the parsed value of one user and returns `undefined` when its form is
 * wrong.
 *
 * @param field the name of the map in the request
 * @throws refuse.invalidParam for a key that is not a user id, refuse.badJson
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
