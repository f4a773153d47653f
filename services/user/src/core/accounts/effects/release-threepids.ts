import { changeAggregates } from '@steward/service';
import type { Deps } from '../../deps.ts';
import { type Account, searchedThreepids } from '../../model/account.ts';
import { type Claim, latestClaims } from '../../model/threepid.ts';
import { claimsOn } from '../threepid-claims.ts';

/**
 * Leaves each address of the account with the account that claimed it last, this one or another, and removes it
 * from every other holder. It is an effect of each claim, so the address ends up with one holder.
 */
export async function releaseThreepids(deps: Deps, account: Account): Promise<void> {
  const claims = await claimsOn(
    deps,
    account.threepids.map(({ key }) => key),
  );
  const latest = latestClaims(claims);
  const lost = claims.filter(({ userId, key }) => latest.get(key)?.userId !== userId);
  // One write removes all addresses that an account lost, because each write rewrites its document.
  for (const [userId, ofOne] of Map.groupBy(lost, (claim) => claim.userId))
    await release(deps, userId, ofOne);
}

/** Removes addresses from an account, as far as it still holds them by these claims. */
async function release(deps: Deps, userId: string, lost: readonly Claim[]): Promise<void> {
  const claims = new Set(lost.map(({ key, claim }) => `${claim} ${key}`));
  for (;;) {
    const holder = await deps.accounts.findOne({ _id: userId }, { projection: { version: 1, threepids: 1 } });
    const kept = holder?.threepids.filter(({ key, claim }) => !claims.has(`${claim} ${key}`));
    if (!holder || !kept || kept.length === holder.threepids.length) return;
    const changed = await changeAggregates(
      deps.accounts,
      { _id: userId, version: holder.version },
      { set: { threepids: kept, folded_threepids: searchedThreepids(kept) } },
    );
    if (changed > 0) return;
  }
}
