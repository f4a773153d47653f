import type { Clock, Random } from '@steward/kernel';
import type { Doc } from '@steward/store';

/** How many effects of a document may be pending at a time; more means that no process applies them. */
export const MAX_PENDING_EFFECTS = 64;
/** The maximum size of one pending effect as JSON, in bytes: small, because it holds references and no content. */
export const MAX_PENDING_EFFECT_BYTES = 512;

/**
 * An effect of a committed change that is still to be applied, such as documents to delete or a fact to publish.
 * Small JSON, stored in the document by the commit itself, as in a transactional outbox.
 */
export interface PendingEffect {
  /** Unique; facts derive their ids from it, so that applying twice is harmless. */
  readonly id: string;
  readonly kind: string;
}

/** An effect as a decision returns it: it gets a random id unless it has one. */
export type NewEffect<E extends PendingEffect> = E extends unknown
  ? Omit<E, 'id'> & { readonly id?: string }
  : never;

/** A document that changes by commits only. */
export interface Aggregate extends Doc {
  /** Rises by one with each commit. */
  readonly version: number;
  /** The pending effects of committed changes, oldest first. */
  readonly pending?: readonly PendingEffect[];
}

/** The dependencies that every aggregate needs. */
export interface AggregateDeps {
  readonly clock: Clock;
  readonly random: Random;
}
