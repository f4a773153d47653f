import { compareCodePoints } from '@steward/kernel';
import type { Row } from './database.ts';

/** A row, and the rows of other queries that have its key. */
export interface Group<N extends string> {
  readonly key: string;
  readonly row: Row;
  readonly of: Readonly<Record<N, readonly Row[]>>;
}

/** A row of another query whose key no row has. */
export interface Orphan<N extends string> {
  readonly orphan: N;
  readonly key: string;
}

/**
 * Joins queries that are sorted by their column `key`, each of which is read once. Of one key the rows are in memory.
 *
 * @param others the queries whose rows are joined to those of `main`
 */
export async function* grouped<N extends string>(
  main: AsyncIterable<Row>,
  others: Readonly<Record<N, AsyncIterable<Row>>>,
): AsyncGenerator<Group<N> | Orphan<N>> {
  const names = Object.keys(others) as N[];
  const readers = new Map(names.map((name) => [name, new Reader(others[name])] as const));
  for await (const row of main) {
    const key = String(row.key);
    const of: Partial<Record<N, readonly Row[]>> = {};
    for (const [name, reader] of readers) {
      for (;;) {
        const before = await reader.keyBefore(key);
        if (before === undefined) break;
        yield { orphan: name, key: before };
      }
      of[name] = await reader.take(key);
    }
    yield { key, row, of: of as Record<N, readonly Row[]> };
  }
  for (const [name, reader] of readers) {
    for (;;) {
      const left = await reader.keyBefore(undefined);
      if (left === undefined) break;
      yield { orphan: name, key: left };
    }
  }
}

/** Reads the rows of a sorted query with one look ahead. */
class Reader {
  readonly #rows: AsyncIterator<Row>;
  #ahead: Promise<IteratorResult<Row>> | undefined;

  constructor(rows: AsyncIterable<Row>) {
    this.#rows = rows[Symbol.asyncIterator]();
  }

  /** Skips the next row if its key precedes another one, or whatever it is; returns its key. */
  async keyBefore(key: string | undefined): Promise<string | undefined> {
    const ahead = await this.#peek();
    if (ahead === undefined) return undefined;
    const found = String(ahead.key);
    if (key !== undefined && compareCodePoints(found, key) >= 0) return undefined;
    this.#ahead = undefined;
    return found;
  }

  /** Takes all rows with a key. */
  async take(key: string): Promise<readonly Row[]> {
    const taken: Row[] = [];
    for (;;) {
      const ahead = await this.#peek();
      if (ahead === undefined || String(ahead.key) !== key) return taken;
      taken.push(ahead);
      this.#ahead = undefined;
    }
  }

  async #peek(): Promise<Row | undefined> {
    this.#ahead ??= this.#rows.next();
    const { done, value } = await this.#ahead;
    return done ? undefined : value;
  }
}
