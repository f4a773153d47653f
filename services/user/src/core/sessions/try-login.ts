import type { Limit } from '@steward/limits';
import { networksOf } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { isKnownNetwork } from './is-known-network.ts';
import { giveBackUnlessWrong } from './try-password.ts';

/** Where a password is tried: at the login of the client API and what counts like it, or at the sign-in of the console. */
export type LoginPlace = 'client' | 'console';

/** A password that is tried by a caller who may be a stranger. */
interface Login {
  readonly place: LoginPlace;
  /** The name under which failures count, see `failureKey`. */
  readonly key: string;
  /** The account of the name, if there is one. */
  readonly userId: string | undefined;
  /** The network of the client, see `networkOf`. */
  readonly network: string;
}

/** How much more of a network twice the width of a byte counts than of the one in it. */
const WIDER = 4;

/** An action that was counted. */
interface Counted {
  readonly limit: Limit;
  readonly key: string;
  readonly count: number;
}

/** The key of a limit on logins: those of the console do not count for the client API. */
export function keyAt(place: LoginPlace, key: string): string {
  return place === 'console' ? `console ${key}` : key;
}

/**
 * Whether the password of a login matches. Failures count for the account and the network of the client, and for the account and
 * all networks together; after too many, no password is checked (client-plane.md 9). A network from which the account was used before
 * needs only the first, so that strangers who guess passwords do not keep the user out. An attempt counts from its start, and is
 * given back unless the password is wrong, so that concurrent guesses are limited like consecutive ones.
 *
 * @throws limitExceeded
 */
export async function tryLogin(deps: Deps, login: Login, verify: () => Promise<boolean>): Promise<boolean> {
  const counted = await count(deps, login);
  return giveBackUnlessWrong(() => giveBack(counted), verify);
}

async function count(deps: Deps, { place, key, userId, network }: Login): Promise<readonly Counted[]> {
  const { loginFailed, consoleFailed } = deps.limits;
  const [own, ...others] = networksOf(network).map((each, wider) => ({
    limit: loginFailed,
    key: keyAt(place, `${key} ${each}`),
    count: WIDER ** -wider,
  }));
  const all = { limit: place === 'console' ? consoleFailed : loginFailed, key: keyAt(place, key), count: 1 };
  const counted = own ? [own] : [];
  take(counted);
  try {
    const more = [...others, all];
    take(more);
    return [...counted, ...more];
  } catch (error) {
    if (await isKnownNetwork(deps, userId, network)) return counted;
    giveBack(counted);
    throw error;
  }
}

/** Counts all actions or none. */
function take(actions: readonly Counted[]): void {
  for (const { limit, key, count } of actions) limit.check(key, count);
  for (const { limit, key, count } of actions) limit.take(key, count);
}

function giveBack(actions: readonly Counted[]): void {
  for (const { limit, key, count } of actions) limit.giveBack(key, count);
}
