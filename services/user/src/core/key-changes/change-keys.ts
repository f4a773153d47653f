import { randomId } from '@steward/kernel';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type AnnounceDeps, announceKeyChange } from './key-change-stream.ts';

/** The time after which no request can still write what it began, in milliseconds. */
const REQUEST_LIFE_MS = 60_000;

/** The number of intents that are read together. */
const SWEEP_BATCH = 100;

/** The dependencies of the functions below. */
export type ChangeDeps = AnnounceDeps & Pick<Deps, 'keyChangeIntents'>;

/**
 * Runs a write that changes what others see of a user's keys, and announces the change. The intent is stored first: if the
 * process crashes before it has announced the change, `sweepKeyChanges` does it. A write that fails may have happened
 * nevertheless, and is announced then, too, unless it conflicted.
 *
 * @returns what the write returned
 */
export async function changeKeys<R>(deps: ChangeDeps, userId: string, write: () => Promise<R>): Promise<R> {
  const _id = randomId(deps.random);
  const due_ts = deps.clock.now() + REQUEST_LIFE_MS;
  await deps.keyChangeIntents.insertOne({ _id, user_id: userId, due_ts });
  let result: R;
  try {
    result = await write();
  } catch (error) {
    if (error instanceof Conflict) await deps.keyChangeIntents.deleteOne({ _id });
    throw error;
  }
  await announceKeyChange(deps, userId);
  await deps.keyChangeIntents.deleteOne({ _id });
  return result;
}

/** Announces the changes that crashed processes have begun. Several processes may run it concurrently. */
export async function sweepKeyChanges(deps: ChangeDeps): Promise<void> {
  for (;;) {
    const due = await deps.keyChangeIntents
      .find({ due_ts: { $lte: deps.clock.now() } }, { sort: { due_ts: 1 }, limit: SWEEP_BATCH })
      .toArray();
    for (const { _id, user_id } of due) {
      await announceKeyChange(deps, user_id);
      await deps.keyChangeIntents.deleteOne({ _id });
    }
    if (due.length < SWEEP_BATCH) return;
  }
}
