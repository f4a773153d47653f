import { type CopiedMessage, copiedEvent } from '@steward/events';
import type { StoredDocument } from '@steward/store';

/** The documents that facts are about, and the field with the position up to which a document has published facts. */
const POSITIONS: Readonly<Record<string, string>> = { 'user.accounts': 'version', 'room.rooms': 'arrival' };

/**
 * The facts that reached the broker while a snapshot began: those of changes that the snapshot contains are needed,
 * because their outbox entries may be gone; those of later changes must not take effect on it.
 */
export class FactsBefore {
  readonly #facts: readonly CopiedMessage[];
  /** The positions of the documents that the facts are about; `undefined` until the snapshot has shown them. */
  readonly #positions: Map<string, number | undefined>;

  private constructor(facts: readonly CopiedMessage[]) {
    this.#facts = facts;
    this.#positions = new Map(facts.map((fact) => [copiedEvent(fact).aggregate, undefined]));
  }

  /** @param facts those of some seconds at most, because they are kept in memory */
  static async read(facts: AsyncIterable<CopiedMessage>): Promise<FactsBefore> {
    return new FactsBefore(await Array.fromAsync(facts));
  }

  /** Takes note of a document of the snapshot. */
  see({ collection, document }: StoredDocument): void {
    const field = POSITIONS[collection];
    if (field === undefined || !this.#positions.has(document._id)) return;
    this.#positions.set(document._id, Number((document as unknown as Record<string, unknown>)[field]));
  }

  /** The facts of changes that the snapshot contains; to be called after all of its documents were seen. */
  *selected(): Generator<CopiedMessage> {
    for (const fact of this.#facts) {
      const { type, aggregate, sequence } = copiedEvent(fact);
      const position = this.#positions.get(aggregate);
      // An attempt is recorded before its change, and a record without the change is true, too.
      if (type === 'audit.recorded') yield fact;
      else if (type === 'room.purged' ? position === undefined : (position ?? 0) >= sequence) yield fact;
    }
  }
}
