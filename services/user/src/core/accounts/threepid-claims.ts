import type { Deps } from '../deps.ts';
import { type Claim, canonicalAddress, latestClaims, threepidKey } from '../model/threepid.ts';

/** All claims on some addresses. */
export async function claimsOn(
  deps: Pick<Deps, 'accounts'>,
  keys: readonly string[],
): Promise<readonly Claim[]> {
  if (keys.length === 0) return [];
  const requested = new Set(keys);
  const holders = await deps.accounts
    .find({ 'threepids.key': { $in: keys } }, { projection: { threepids: 1 } })
    .toArray();
  return holders.flatMap(({ _id: userId, threepids }) =>
    threepids.filter(({ key }) => requested.has(key)).map(({ key, claim }) => ({ userId, key, claim })),
  );
}

/** The user who claimed an address last; `undefined` when no account holds it. */
export async function holderOfThreepid(
  deps: Deps,
  medium: string,
  address: string,
): Promise<string | undefined> {
  const key = threepidKey(medium, canonicalAddress(medium, address));
  return latestClaims(await claimsOn(deps, [key])).get(key)?.userId;
}
