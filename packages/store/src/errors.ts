/** A write met a document that stands in its way: a unique index, an id in use, a version that moved on. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  /** The unique index that was violated, `_id`, or `version` for a lost race of `commit`. */
  readonly index: string;
  /** How many documents a write of several had inserted nevertheless; 0 for a single write. */
  readonly insertedCount: number;

  constructor(index: string, options?: { insertedCount?: number; cause?: unknown }) {
    super(`Conflict on ${index}`, options && 'cause' in options ? { cause: options.cause } : undefined);
    this.index = index;
    this.insertedCount = options?.insertedCount ?? 0;
  }
}

/** The engine cannot be reached, is overloaded, or could not make a write durable. Trying later may help. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Another process holds the data directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
  readonly directory: string;

  constructor(directory: string, options?: { cause?: unknown }) {
    super(`Another process is using the data directory ${directory}`, options);
    this.directory = directory;
  }
}
