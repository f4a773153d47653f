import { networkOf } from '@steward/rpc';
import type { Deps } from '../deps.ts';

/** How many of the last uses of each kind are looked at: more than an account usually has. */
const LOOKED_AT = 200;

/**
 * Whether an account has signed in, or used a token, from a network in the last weeks. It takes the same reads without an account.
 *
 * @param network see `networkOf`
 */
export async function isKnownNetwork(
  {
    storedSignIns,
    connections,
    adminSessions,
  }: Pick<Deps, 'storedSignIns' | 'connections' | 'adminSessions'>,
  userId: string | undefined,
  network: string,
): Promise<boolean> {
  const user = { user_id: userId ?? '' };
  const limit = LOOKED_AT;
  const [signIns, uses, sessions] = await Promise.all([
    storedSignIns.find(user, { sort: { ts: -1 }, limit, projection: { address: 1 } }).toArray(),
    connections.find(user, { sort: { last_seen: -1 }, limit, projection: { ip: 1 } }).toArray(),
    adminSessions.find(user, { sort: { created_ts: -1 }, limit, projection: { address: 1 } }).toArray(),
  ]);
  const addresses = [...signIns, ...sessions].map(({ address }) => address);
  return [...addresses, ...uses.map(({ ip }) => ip)].some(
    (address) => address !== '' && networkOf(address) === network,
  );
}
