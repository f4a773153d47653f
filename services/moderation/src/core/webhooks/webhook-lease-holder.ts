import { randomId } from '@steward/kernel';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import { LEASE_ID } from '../model/webhook-lease.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** How long a lease lasts unless it is renewed, in milliseconds: some renewals can fail before it ends. */
const LEASE_MS = 12_000;

/** The lease of a process: which one sends. */
export interface LeaseHolder {
  /** Whether this process has the lease now. */
  holds(): boolean;
  /** Takes or renews the lease, unless another process has it. Returns whether this process has it. */
  take(): Promise<boolean>;
  /** Gives the lease up, so that another process can take it at once. */
  release(): Promise<void>;
}

/** Creates the lease of a process. */
export function createLeaseHolder({
  clock,
  random,
  webhookLeases,
}: Pick<WebhookDeps, 'clock' | 'random' | 'webhookLeases'>): LeaseHolder {
  const owner = randomId(random);
  let until = 0;
  const holds = () => until > clock.now();
  return {
    holds,
    async take() {
      const next = clock.now() + LEASE_MS;
      const free = { _id: LEASE_ID, $or: [{ owner }, { until: { $lte: clock.now() } }] } as const;
      const { matchedCount } = await webhookLeases.updateOne(
        free,
        { $set: { owner, until: next } },
        NOT_FLUSHED,
      );
      if (matchedCount > 0) until = next;
      else if (await insert(next)) until = next;
      else until = 0;
      return holds();
    },
    async release() {
      until = 0;
      await webhookLeases.updateOne({ _id: LEASE_ID, owner }, { $set: { until: 0 } }, NOT_FLUSHED);
    },
  };

  /** Takes the first lease of all. */
  async function insert(next: number): Promise<boolean> {
    if (await webhookLeases.findOne({ _id: LEASE_ID })) return false;
    try {
      await webhookLeases.insertOne({ _id: LEASE_ID, owner, until: next }, NOT_FLUSHED);
      return true;
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  }
}

/** Ends the lease of a process that was killed, where the store has one process only. */
export async function breakLease({ webhookLeases }: Pick<WebhookDeps, 'webhookLeases'>): Promise<void> {
  await webhookLeases.updateOne({ _id: LEASE_ID }, { $set: { until: 0 } }, NOT_FLUSHED);
}
