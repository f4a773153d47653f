import type { Child } from '@steward/topology/testing';

/** A process or connection that can be killed and started again. */
export interface Victim {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A document and its collection. */
export interface StoredDocument {
  readonly collection: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A server of the run's own, with its engines. */
export interface Site {
  /** The URLs of its gateways. */
  readonly urls: readonly string[];
  /** The victims; those that others need to start come first. */
  readonly victims: readonly Victim[];
  /** All documents that it stores now. */
  documents(): AsyncIterable<StoredDocument>;
  /** The undelivered facts and dead letters of its broker, a line each. */
  undelivered(): Promise<readonly string[]>;
  /** The facts that its broker stores, by the document they are about; `undefined` where it stores none. */
  facts(): Promise<ReadonlyMap<string, readonly string[]> | undefined>;
  /** The damage of its database file, a line each; empty where there is no file. */
  damage(): Promise<readonly string[]>;
  /** Ends it, and removes what it stored. */
  close(): Promise<void>;
}

/** A process as a victim. */
export function victimOf(name: string, { kill, start }: Child): Victim {
  return { name, kill, start };
}
