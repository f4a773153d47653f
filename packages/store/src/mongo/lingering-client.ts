import type { MongoClient } from 'mongodb';

/** How long a client is kept after its last use, in milliseconds: those who need one come one after the other. */
const IDLE_MS = 1_000;

/** A client that is there while somebody uses it, and for a moment afterwards. */
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

  /** Lets go of it, when nobody uses it. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    // Whoever comes now gets another one.
    this.#client = undefined;
    await (await client)?.close();
  }
}
