import { changeAggregates } from '@steward/service';
import type { Deps } from '../../deps.ts';
import type { Account } from '../../model/account.ts';
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
  for (const ofOne of Map.groupBy(lost, ({ userId, claim }) => `${claim} ${userId}`).values()) {
    const [{ userId, claim }] = ofOne as [Claim];
    const keys = { $in: ofOne.map(({ key }) => key) };
    await changeAggregates(
      deps.accounts,
      { _id: userId, 'threepids.key': keys },
      { pull: { threepids: { key: keys, claim } } },
    );
  }
}
