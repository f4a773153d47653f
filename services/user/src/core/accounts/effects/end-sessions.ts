import type { Deps } from '../../deps.ts';
import { removeEndedSessions } from '../../devices/remove-devices.ts';
import type { Account } from '../../model/account.ts';
import { emptyAccount } from './empty-account.ts';

/** When the clean-up is repeated, in milliseconds: after the end of every request that was in progress. */
const REPEAT_AFTER_MS = 60_000;
const SWEEP_BATCH = 100;

/**
 * Removes the documents of the sessions that an account has ended, and schedules a repetition: a login in progress
 * may write further ones and crash before it notices the end.
 */
export async function endSessions(deps: Deps, account: Account): Promise<void> {
  await deps.endedSessions.updateOne(
    { _id: account._id },
    { $max: { repeat_ts: deps.clock.now() + REPEAT_AFTER_MS } },
    { upsert: true },
  );
  await removeEndedSessions(deps, account);
}

/** Repeats the clean-up for every account that is due. Several processes may run it concurrently. */
export async function sweepEndedSessions(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    const due = await deps.endedSessions
      .find({ repeat_ts: { $lte: now } }, { sort: { repeat_ts: 1 }, limit: SWEEP_BATCH })
      .toArray();
    for (const { _id, repeat_ts } of due) {
      const account = await deps.accounts.findOne({ _id });
      if (account) {
        await removeEndedSessions(deps, account);
        await emptyAccount(deps, account);
      }
      await deps.endedSessions.deleteOne({ _id, repeat_ts });
    }
    if (due.length < SWEEP_BATCH) return;
  }
}
