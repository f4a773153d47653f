import { type Clock, type Random, randomId } from '@steward/kernel';
import { type Collection, Conflict, type Doc, declareCollection, NOT_FLUSHED } from '@steward/store';

/** The id of the only lease of a collection. */
const LEASE_ID = 'sender';

/** How long a lease lasts unless it is renewed, in milliseconds: some renewals can fail before it ends. */
const LEASE_MS = 12_000;

/** Which process does a work that one process at a time does. */
export interface Lease extends Doc {
  readonly _id: typeof LEASE_ID;
  /** The process. */
  readonly owner: string;
  /** Until when, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/** The lease of a process: which one does the work. */
export interface LeaseHolder {
  /** Whether this process has the lease now. */
  holds(): boolean;
  /** Takes or renews the lease, unless another process has it. Returns whether this process has it. */
  take(): Promise<boolean>;
  /** Gives the lease up, so that another process can take it at once. */
  release(): Promise<void>;
}

/** Declares the collection of the lease of one kind of work. */
export function declareLease(name: string) {
  return declareCollection<Lease>({ name, shardKey: null, indexes: [] });
}

/** Creates the lease of a process. */
export function createLeaseHolder(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  leases: Collection<Lease>,
): LeaseHolder {
  const owner = randomId(random);
  let until = 0;
  const holds = () => until > clock.now();
  return {
    holds,
    async take() {
      const next = clock.now() + LEASE_MS;
      const free = { _id: LEASE_ID, $or: [{ owner }, { until: { $lte: clock.now() } }] } as const;
      const { matchedCount } = await leases.updateOne(free, { $set: { owner, until: next } }, NOT_FLUSHED);
      if (matchedCount > 0) until = next;
      else if (await insert(next)) until = next;
      else until = 0;
      return holds();
    },
    async release() {
      until = 0;
      await leases.updateOne({ _id: LEASE_ID, owner }, { $set: { until: 0 } }, NOT_FLUSHED);
    },
  };

  /** Takes the first lease of all. */
  async function insert(next: number): Promise<boolean> {
    if (await leases.findOne({ _id: LEASE_ID })) return false;
    try {
      await leases.insertOne({ _id: LEASE_ID, owner, until: next }, NOT_FLUSHED);
      return true;
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  }
}

/** Ends the lease of a process that was killed, where the store has one process only. */
export async function breakLease(leases: Collection<Lease>): Promise<void> {
  await leases.updateOne({ _id: LEASE_ID }, { $set: { until: 0 } }, NOT_FLUSHED);
}
