/** A write conflicts with a stored document: by a unique index, by its id, or by a version that has changed. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  /** The unique index that the write violates, `_id`, or `version` when another commit came first. */
  readonly index: string;
  /** The number of documents that a write of several inserted; 0 for a write of one. */
  readonly insertedCount: number;

  constructor(index: string, options?: { insertedCount?: number; cause?: unknown }) {
    super(`Conflict on ${index}`, options && 'cause' in options ? { cause: options.cause } : undefined);
    this.index = index;
    this.insertedCount = options?.insertedCount ?? 0;
  }
}

/** The engine cannot be reached, is overloaded, or could not make a write durable. A later attempt can succeed. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** The engine cannot be used as it is configured, and a later attempt fails like this one. The message has one line. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Another process holds the data directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
  readonly directory: string;

  constructor(directory: string, options?: { cause?: unknown }) {
    super(`Another process is using the directory ${directory}`, options);
    this.directory = directory;
  }
}
