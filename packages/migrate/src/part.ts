import type { JsonObject } from '@steward/kernel';

/** A row of the old homeserver, as a record that the import reads, or why there is none. */
export type Found = Carried | Refused;

/** A row that is carried. */
export interface Carried {
  /** What names the row in its table. */
  readonly key: string;
  readonly record: JsonObject;
  /** Of rows that never change and are read in their order: the number that orders them. */
  readonly position?: number;
  /** The fields of the record whose change alone is no change. */
  readonly minor?: readonly string[];
  /** What of the row is not in the record, one sentence each. */
  readonly losses?: readonly string[];
  /** What is carried in its place, the first of it that is accepted, where the record as a whole is refused. */
  readonly lesser?: readonly Lesser[];
}

/** A record with less in it. */
export interface Lesser {
  readonly record: JsonObject;
  /** What is not in it, without the reason. */
  readonly loss: string;
}

/** A row that cannot be carried. */
export interface Refused {
  readonly key: string;
  readonly problem: string;
}

/** The records of one kind that a homeserver has. */
export interface Part {
  /** The kind of the records. */
  readonly kind: string;
  /** The table from which they come. */
  readonly table: string;
  /** How many rows the part reads. */
  count(): Promise<number>;
  /**
   * Reads the rows one after another, in an order that each run repeats.
   *
   * @param seen of rows with positions: those between the two were carried before
   */
  read(seen?: Positions): AsyncIterable<Found>;
}

/** The lowest and the highest position of rows. */
export interface Positions {
  readonly lowest: number;
  readonly highest: number;
}

/** An old homeserver from which everything is read: one program, one database, at one moment. */
export interface OldHomeserver {
  readonly serverName: string;
  /** What is carried, in the order in which the import loads it. */
  readonly parts: readonly Part[];
  /** The folder with the files of media, relative to which records name them. */
  readonly mediaFolder: string;
  /** The lowest position of an event, from which the new server counts. */
  readonly firstPosition: number;
  /** What else the database has, with the number of rows and the reason why it is not carried. */
  leftOut(): Promise<readonly LeftOut[]>;
  close(): Promise<void>;
}

/** Rows that are not carried. */
export interface LeftOut {
  readonly table: string;
  readonly rows: number;
  /** Why; undefined for a table that this release does not know. */
  readonly reason: string | undefined;
}
