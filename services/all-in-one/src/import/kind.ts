/** The result of loading a batch of records. */
export interface BatchResult {
  readonly loaded: number;
  readonly skipped: number;
  /** The invalid records, each with its index in the batch. */
  readonly problems: readonly { readonly index: number; readonly problem: string }[];
}

/** A kind of records: how to read one, and the service that loads them. */
export interface Kind {
  /**
   * Reads a line.
   *
   * @throws Error that names the invalid field
   */
  readonly read: (line: string) => unknown;
  readonly load: (records: readonly unknown[]) => Promise<BatchResult>;
  /** The id of the document of a record that was read from a line; absent for a kind that can only be added to. */
  readonly idOf?: (line: string) => string;
  /** Loads records in place of what has their ids. */
  readonly replace?: (records: readonly unknown[], ids: readonly string[]) => Promise<BatchResult>;
  /** Removes documents; absent for a kind of which nothing is removed. */
  readonly remove?: (ids: readonly string[]) => Promise<unknown>;
  /** Whether each batch must be loaded before the next, because the order of the lines matters. */
  readonly inOrder?: boolean;
}
