import type { Clock } from '@steward/kernel';
import type { Collection } from '@steward/store';
import { fromEnvelope } from './envelope.ts';
import type { OutboxEntry } from './outbox.ts';

/** How many entries are counted, and how many are looked at for their age: bounds for a broker that is away for long. */
const MAX_COUNTED = 10_000;
const MAX_AGED = 1_000;

/** What waits in an outbox. */
export interface OutboxReading {
  /** The number of entries, counted up to 10,000. */
  readonly entries: number;
  /** The age of the oldest of the first 1,000 entries, in milliseconds; 0 for none. */
  readonly oldestMs: number;
}

/**
 * Reads what waits in an outbox.
 *
 * @throws Unavailable
 */
export async function readOutbox(
  outbox: Pick<Collection<OutboxEntry>, 'find'>,
  clock: Clock,
): Promise<OutboxReading> {
  const sort = { aggregate: 1, sequence: 1 } as const;
  // An index has these fields, so that no entry is read.
  const found = await outbox
    .find({}, { sort, limit: MAX_COUNTED, projection: { aggregate: 1, sequence: 1 } })
    .toArray();
  if (found.length === 0) return { entries: 0, oldestMs: 0 };
  let oldest = clock.now();
  for await (const { envelope } of outbox.find({}, { sort, limit: MAX_AGED, projection: { envelope: 1 } })) {
    oldest = Math.min(oldest, fromEnvelope(Buffer.from(envelope, 'base64')).timeMs);
  }
  return { entries: found.length, oldestMs: clock.now() - oldest };
}
