import type { Clock, Random } from '@steward/kernel';
import type { Db, Document } from 'mongodb';
import type { Doc } from '../../port/declaration.ts';
import type { InFlight } from '../client/in-flight.ts';

/** What the collections of a store share. */
export interface Engine {
  readonly database: Db;
  readonly inFlight: InFlight;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether it is a sharded cluster. */
  readonly isSharded: boolean;
}

/** A document as the server stores it. */
export type Stored = Document & Doc;
