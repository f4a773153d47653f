/** What became of a batch of records. */
export interface BatchResult {
  readonly loaded: number;
  readonly skipped: number;
  /** The flawed records by their place in the batch. */
  readonly problems: readonly { readonly index: number; readonly problem: string }[];
}

/** A kind of records: how one is read, and who loads them. */
export interface Kind {
  /**
   * Reads a line.
   *
   * @throws Error that names the flawed field
   */
  readonly read: (line: string) => unknown;
  readonly load: (records: readonly unknown[]) => Promise<BatchResult>;
  /** Whether each batch must be loaded before the next: the order of the lines says something. */
  readonly inOrder?: boolean;
}
