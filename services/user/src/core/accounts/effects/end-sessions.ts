import type { Deps } from '../../deps.ts';
import { forgetEndedSessions } from '../../devices/forget-devices.ts';
import type { Account } from '../../model/account.ts';
import { emptyAccount } from './empty-account.ts';

/** Longer than any request takes that was under way when sessions were ended. */
const REPEAT_AFTER_MS = 60_000;
const SWEEP_BATCH = 100;

/**
 * Removes what is left of the sessions that an account has ended, and sees to it that this is done once
 * more: a login under way may leave something behind and die before it notices.
 */
export async function endSessions(deps: Deps, account: Account): Promise<void> {
  await deps.endedSessions.updateOne(
    { _id: account._id },
    { $max: { repeat_ts: deps.clock.now() + REPEAT_AFTER_MS } },
    { upsert: true },
  );
  await forgetEndedSessions(deps, account);
}

/** Repeats the clean-up for every account whose turn it is. Safe to run on several machines at once. */
export async function sweepEndedSessions(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    const due = await deps.endedSessions
      .find({ repeat_ts: { $lte: now } }, { sort: { repeat_ts: 1 }, limit: SWEEP_BATCH })
      .toArray();
    for (const { _id, repeat_ts } of due) {
      const account = await deps.accounts.findOne({ _id });
      if (account) {
        await forgetEndedSessions(deps, account);
        await emptyAccount(deps, account);
      }
      await deps.endedSessions.deleteOne({ _id, repeat_ts });
    }
    if (due.length < SWEEP_BATCH) return;
  }
}
