import { LRUCache } from 'lru-cache';

/** The most documents that are cached of a collection. */
const MAX_DOCUMENTS = 2_000;
/** The longest document that is cached, in characters. */
const MAX_LENGTH = 4_096;

/**
 * A cache of the texts of documents that were read by id, as every request reads its token and its account. One process
 * has the file open, and each of its writes removes what it writes, so that the cache always equals the file.
 */
export class RecentDocuments {
  /** Created with the first document, because a cache allocates its slots at once. */
  #texts: LRUCache<string, string> | undefined;

  /** The text of a document as it is stored, if it is cached. */
  get(id: string): string | undefined {
    return this.#texts?.get(id);
  }

  /** Caches the text of a document. Must not be called inside a transaction. */
  keep(id: string, text: string): void {
    if (text.length > MAX_LENGTH) return;
    this.#texts ??= new LRUCache({ max: MAX_DOCUMENTS });
    this.#texts.set(id, text);
  }

  /** Removes a document that is about to be written. */
  forget(id: string): void {
    this.#texts?.delete(id);
  }

  /** Removes all documents, when some that are not known by id are about to be deleted. */
  clear(): void {
    if (this.#texts && this.#texts.size > 0) this.#texts.clear();
  }
}
