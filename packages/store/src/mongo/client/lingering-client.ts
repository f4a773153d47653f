import type { MongoClient } from 'mongodb';

/** How long a client stays connected after its last use, in milliseconds, because uses follow one another. */
const IDLE_MS = 1_000;

/** A client that is connected during its uses, and for a moment after the last one. */
export class LingeringClient {
  readonly #connect: () => Promise<MongoClient>;
  #client: Promise<MongoClient> | undefined;
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(connect: () => Promise<MongoClient>) {
    this.#connect = connect;
  }

  /** @throws Unavailable when the server cannot be reached */
  async use<R>(work: (client: MongoClient) => Promise<R>): Promise<R> {
    clearTimeout(this.#idle);
    this.#users++;
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    try {
      return await work(await this.#client);
    } finally {
      this.#users--;
      if (this.#users === 0)
        this.#idle = setTimeout(() => void this.close().catch(() => {}), IDLE_MS).unref();
    }
  }

  /** Closes the client. Must not be called during a use. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    // A later use connects another one.
    this.#client = undefined;
    await (await client)?.close();
  }
}
