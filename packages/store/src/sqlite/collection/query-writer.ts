import type { WriteOptions } from '../../port/collection.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import { type Found, load } from '../execute/load.ts';
import { locate, locateLong, locatePoint } from '../execute/locate.ts';
import type { Layout } from '../layout/layout.ts';
import { isPoint, type Query } from '../plan/query.ts';
import type { Engine } from './engine.ts';
import { translatingErrors } from './translate-error.ts';

/** The outcome of a write for which the reader has to find the documents first. */
export const LONG = Symbol('long');

/** Finds the documents that match a query, and writes them. */
export class QueryWriter {
  readonly #engine: Engine;
  readonly #layout: Layout;
  readonly #recent: RecentDocuments;

  constructor(engine: Engine, layout: Layout) {
    this.#engine = engine;
    this.#layout = layout;
    this.#recent = engine.recent(layout.name);
  }

  /** Runs `work` inside a transaction. */
  transact<R>(work: () => R, options?: WriteOptions): Promise<R> {
    return translatingErrors(this.#layout, () => this.#engine.writes.run(work, options));
  }

  /** Finds the first document of a query and writes it, inside an open transaction. */
  writeFirstNow<R>(query: Query, write: (found: Found | undefined) => R): R | typeof LONG {
    const { connection } = this.#engine;
    if (isPoint(query)) return write(locatePoint(connection, this.#recent, query));
    const rows = locate(connection, query);
    if (!rows) return LONG;
    const [n] = rows;
    const document = n === undefined ? undefined : load(connection, this.#layout, n);
    return write(n === undefined || document === undefined ? undefined : { n, document });
  }

  /** Finds the first document of a query, however long that takes, and writes it. */
  async writeFirst<R>(
    query: Query,
    write: (found: Found | undefined) => R,
    options: WriteOptions,
  ): Promise<R> {
    for (;;) {
      const outcome = await this.transact(() => this.writeFirstNow(query, write), options);
      if (outcome !== LONG) return outcome;
      const [n] = await this.#locateLong(query);
      const verified = await this.transact(() => {
        if (n === undefined) return write(undefined);
        const document = load(this.#engine.connection, this.#layout, n, query);
        return document === undefined ? LONG : write({ n, document });
      }, options);
      if (verified !== LONG) return verified;
    }
  }

  /**
   * Writes every document that matches a query, a batch of rows in each transaction.
   *
   * @param write receives the rows, and the query if they may have changed since they were found
   */
  async writeMatches(
    query: Query,
    write: (rows: readonly number[], verify: Query | undefined) => void,
    { batch, ...options }: WriteOptions & { readonly batch: number },
  ): Promise<void> {
    const here = await this.transact(() => {
      const rows = locate(this.#engine.connection, query);
      if (rows && rows.length > 0) write(rows.slice(0, batch), undefined);
      return rows;
    }, options);
    const rows = here ?? (await this.#locateLong(query));
    for (let start = here ? batch : 0; start < rows.length; start += batch) {
      await this.transact(() => write(rows.slice(start, start + batch), query), options);
    }
  }

  async #locateLong(query: Query): Promise<readonly number[]> {
    return (await translatingErrors(this.#layout, () => locateLong(this.#engine.reader, query))).rows;
  }
}
