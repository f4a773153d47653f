/** Documents that are remembered of a collection; the one that was remembered longest ago goes for another. */
const MAX_DOCUMENTS = 2_000;
/** The longest document that is remembered, in characters. */
const MAX_LENGTH = 4_096;

/**
 * The texts of documents that were lately read by id, as every request reads its token and its account. One process
 * has a file open, and each of its writes forgets what it writes, so that what is here is what is stored.
 */
export class RecentDocuments {
  readonly #texts = new Map<string, string>();

  /** The text of a document as it is stored, if that is known. */
  get(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** Remembers the text of a document, outside any transaction. */
  keep(id: string, text: string): void {
    if (text.length > MAX_LENGTH) return;
    this.#texts.set(id, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_DOCUMENTS && oldest !== undefined) this.#texts.delete(oldest);
  }

  /** To be called when a document is about to be written. */
  forget(id: string): void {
    this.#texts.delete(id);
  }

  /** To be called when documents are about to be deleted. */
  clear(): void {
    this.#texts.clear();
  }
}
