import type { Doc } from './port/declaration.ts';

/** References that a document may owe at a time; more means that nobody applies them. */
export const MAX_OWED = 64;
/** Size of one reference as JSON, in bytes: a reference names things, it does not carry them. */
export const MAX_OWED_BYTES = 512;

/** A reference to what a committed change still owes: effects elsewhere, facts for the outbox. Small JSON. */
export interface Owed {
  /** Unique; facts derive their ids from it, so that applying twice is harmless. */
  readonly id: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

/** A document that is changed by `commit` only. */
export interface Aggregate extends Doc {
  /** Rises by one with each commit. */
  readonly version: number;
  /** What committed changes still owe, oldest first. */
  readonly pending?: readonly Owed[];
}

/** The index over `pending` that every collection of aggregates declares, with `arrays: ['pending']`. */
export const PENDING_INDEX = { name: 'pending', keys: [['pending.id', 1]], sparse: true } as const;
