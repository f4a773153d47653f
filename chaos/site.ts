import type { Child } from '@steward/topology/testing';

/** Something that can be killed and started again. */
export interface Victim {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A document, and where it is kept. */
export interface StoredDocument {
  readonly collection: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A server of its own, with what it stands on. */
export interface Site {
  /** Where clients find it: its gateways. */
  readonly urls: readonly string[];
  /** What of it can be killed; what others need to start comes before them. */
  readonly victims: readonly Victim[];
  /** Everything that it stores, as of now. */
  documents(): AsyncIterable<StoredDocument>;
  /** What its broker has yet to hand over or has given up, a line each. */
  undelivered(): Promise<readonly string[]>;
  /** The facts that its broker was told, by the document they are about; `undefined` where it keeps none. */
  facts(): Promise<ReadonlyMap<string, readonly string[]> | undefined>;
  /** What is wrong with the file that it stores everything in, a line each; nothing where there is none. */
  damage(): Promise<readonly string[]>;
  /** Ends it, and removes what it stored. */
  close(): Promise<void>;
}

/** A process as something to kill. */
export function victimOf(name: string, { kill, start }: Child): Victim {
  return { name, kill, start };
}
