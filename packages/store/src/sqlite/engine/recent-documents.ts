import type { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../deep-freeze.ts';
import type { Doc } from '../../port/declaration.ts';
import { project } from './project.ts';
import { SharedBound } from './shared-bound.ts';

/** The most documents that are cached of a collection. */
const MAX_DOCUMENTS = 4_096;
/** The longest document that is cached, in characters of its text. */
const MAX_LENGTH = 4_096;
/** The most characters of the texts of all cached documents; parsed, they take a few times as many bytes. */
const MAX_TOTAL_LENGTH = 6 * 1024 * 1024;

/** How many rows that lists have read once are remembered. Rows whose numbers differ by half of it share two slots. */
const LISTED_SLOTS = 4_096;

/** The bound that the recent documents of all collections of a store share. */
export const boundOfRecent = (): SharedBound => new SharedBound(MAX_TOTAL_LENGTH);

/** A cached document. One that an update wrote is parsed when it is read. */
class Entry {
  readonly id: string;
  /** JSON, of a document that an update wrote; the next one needs it again. */
  readonly written: string | undefined;
  /** The last projection of the document, because a list asks for the same fields again and again. */
  fields?: readonly string[];
  projected?: object;
  #document: Doc | undefined;

  constructor(id: string, of: { readonly written: string } | { readonly document: Doc }) {
    this.id = id;
    this.written = 'written' in of ? of.written : undefined;
    this.#document = 'document' in of ? deepFreeze(of.document) : undefined;
  }

  get document(): Doc {
    this.#document ??= deepFreeze<Doc>(JSON.parse(this.written ?? ''));
    return this.#document;
  }
}

/**
 * A cache of parsed documents by row and by id, as every request reads its token and its account, and lists show the same
 * rows again and again; and of the texts of those that updates wrote, because the next update of the same document is near.
 * One process has the file open, and each of its writes removes or replaces what it writes, so that the cache always equals
 * the file. Its documents are frozen, because they are given to many readers.
 */
export class RecentDocuments {
  readonly #bound: SharedBound;
  /** Created with the first document, because a cache allocates its slots at once. */
  #documents: LRUCache<number, Entry> | undefined;
  readonly #rows = new Map<string, number>();
  /** Rows that lists have read once, each in one of its slots; negative where the document is too long. */
  #listed: Float64Array | undefined;

  constructor(bound: SharedBound) {
    this.#bound = bound;
  }

  /** The document of a row, if it is cached. */
  get(n: number): Doc | undefined {
    return this.#documents?.get(n)?.document;
  }

  /** The document of a row with some top-level fields, or all of them unless given, if the document is cached. */
  projected(n: number, fields: readonly string[] | undefined): object | undefined {
    const entry = this.#documents?.get(n);
    if (!entry || !fields) return entry?.document;
    if (entry.fields !== fields) {
      entry.projected = Object.freeze(project<object>(entry.document, fields));
      entry.fields = fields;
    }
    return entry.projected;
  }

  /** The document with an id, if it is cached. */
  byId(id: string): Doc | undefined {
    const n = this.#rows.get(id);
    return n === undefined ? undefined : this.get(n);
  }

  /** The document with an id with some top-level fields, or all of them unless given, if the document is cached. */
  projectedById(id: string, fields: readonly string[] | undefined): object | undefined {
    const n = this.#rows.get(id);
    return n === undefined ? undefined : this.projected(n, fields);
  }

  /**
   * Whether a row that a list reads is worth caching: it was read by a list before. Otherwise one pass over a large
   * collection would replace all that is cached, and pay for it.
   */
  isListedAgain(n: number): boolean {
    this.#listed ??= new Float64Array(LISTED_SLOTS);
    const slot = slotOf(n, this.#listed);
    const isAgain = this.#listed[slot] === n;
    if (this.#listed[slot] === 0) this.#listed[slot] = n;
    return isAgain;
  }

  /** The row and the text of the document with an id, if the last update of it is cached. */
  writtenById(id: string): { readonly n: number; readonly document: string } | undefined {
    const n = this.#rows.get(id);
    const document = n === undefined ? undefined : this.#documents?.get(n)?.written;
    return n === undefined || document === undefined ? undefined : { n, document };
  }

  /** Parses the text of a document, and caches it unless it is long. Must not be called inside a transaction. */
  keep(n: number, text: string): Doc {
    const document: Doc = JSON.parse(text);
    if (text.length > MAX_LENGTH) {
      if (this.#listed) this.#listed[slotOf(n, this.#listed)] = -n;
      return document;
    }
    this.#set(n, new Entry(document._id, { document }), text.length);
    return document;
  }

  /** Caches what an update has written, inside its transaction, unless it is long. */
  keepWritten(n: number, id: string, written: string): void {
    if (written.length <= MAX_LENGTH) this.#set(n, new Entry(id, { written }), written.length);
  }

  /** Removes the document of a row that is about to be written. */
  forget(n: number): void {
    this.#documents?.delete(n);
  }

  /** Removes all documents, because a transaction that wrote some of them has failed. */
  clear(): void {
    this.#documents?.clear();
  }

  #set(n: number, entry: Entry, length: number): void {
    this.#documents ??= this.#bound.cache<number, Entry>({
      max: MAX_DOCUMENTS,
      dispose: ({ id: left }) => this.#rows.delete(left),
    });
    this.#bound.set(this.#documents, n, entry, length);
    this.#rows.set(entry.id, n);
  }
}

/** The slot of a row. A row without one gets the first of its two slots, empty, and the row there moves to the second. */
function slotOf(n: number, listed: Float64Array): number {
  const slot = 2 * (n % (LISTED_SLOTS / 2));
  const [first = 0, second = 0] = [listed[slot], listed[slot + 1]];
  if (Math.abs(first) === n) return slot;
  if (Math.abs(second) === n) return slot + 1;
  listed[slot] = 0;
  listed[slot + 1] = first;
  return slot;
}
