import { changeAggregates } from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { facetOf, flagsOf } from '../model/account.ts';

/** The number of accounts that are read and written together. */
const BATCH = 500;

/**
 * Flags the accounts that match the configured patterns of bridges, and no others. New accounts are flagged when they are made,
 * so one run at the start of a process is enough; it writes nothing where the patterns are the same as before. A run that a crash
 * interrupts begins again at the next start.
 *
 * @param signal ends the run after the present batch
 */
export async function flagBridges(
  deps: Pick<Deps, 'accounts' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { accounts, settings } = deps;
  const isBridged = settings.isBridged ?? (() => false);
  if (!settings.isBridged && ![...(await accounts.tally()).keys()].some((facet) => flagsOf(facet).bridged)) {
    return;
  }
  let last = '';
  while (!signal.aborted) {
    const page = await accounts
      .find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: BATCH, projection: { facet: 1 } })
      .toArray();
    const end = page.at(-1);
    if (!end) return;
    const wrong = page.filter(
      ({ _id, facet }) => flagsOf(facet).bridged !== isBridged(_id.slice(1, _id.indexOf(':'))),
    );
    let changed = 0;
    for (const [facet, group] of Map.groupBy(wrong, (account) => account.facet)) {
      const bridged = !flagsOf(facet).bridged;
      changed += await changeAggregates(
        accounts,
        { _id: { $in: group.map(({ _id }) => _id) }, facet },
        { set: { bridged, facet: facetOf({ ...flagsOf(facet), bridged }) } },
        NOT_FLUSHED,
      );
    }
    // The page is read again if a commit changed the flags of one of its accounts in between.
    if (changed === wrong.length) last = end._id;
  }
}
