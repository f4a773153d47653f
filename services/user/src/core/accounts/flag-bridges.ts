import { changeAggregates } from '@steward/service';
import { forEachBatch, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import { facetOf, flagsOf } from '../model/account.ts';

/** The number of accounts that are read and written together. */
const BATCH = 500;

/**
 * Flags the accounts that match the configured patterns of bridges, and no others. Every commit of an account flags it, too, so
 * one run at the start of a process is enough; it writes nothing where the patterns are the same as before. A run that a crash
 * interrupts begins again at the next start.
 *
 * @param signal ends the run after the current batch
 */
export async function flagBridges(
  deps: Pick<Deps, 'accounts' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const facets = [...(await deps.accounts.tally()).keys()];
  for (const facet of facets) {
    if (deps.settings.isBridged || flagsOf(facet).bridged) await flagThose(deps, facet, signal);
  }
}

/** Flags the accounts with a facet. Their ids are read from an index alone. */
async function flagThose(
  { accounts, settings }: Pick<Deps, 'accounts' | 'settings'>,
  facet: string,
  signal: AbortSignal,
): Promise<void> {
  const flags = flagsOf(facet);
  const change = { bridged: !flags.bridged, facet: facetOf({ ...flags, bridged: !flags.bridged }) };
  const isWrong = (userId: string) => (settings.isBridged?.(localpartOf(userId)) ?? false) !== flags.bridged;
  await forEachBatch(accounts, { facet }, { size: BATCH, projection: { facet: 1 } }, async (page) => {
    if (signal.aborted) return 'stop';
    const wrong = page.map(({ _id }) => _id).filter(isWrong);
    // An account whose facet has changed in between was flagged by the commit that changed it.
    if (wrong.length > 0) {
      await changeAggregates(accounts, { _id: { $in: wrong }, facet }, { set: change }, NOT_FLUSHED);
    }
    return 'next';
  });
}

const localpartOf = (userId: string) => userId.slice(1, userId.indexOf(':'));
