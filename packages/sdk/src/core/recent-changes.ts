/** The header of the answer to a change. */
const POSITION = 'x-steward-position';

/** The header in which a read names the changes that it waits for. */
const WAIT_FOR = 'x-steward-wait-for';

/** How long reads wait for a change after its answer, in milliseconds. */
const WAITED_FOR_MS = 10_000;

/** How many positions the server accepts. */
const MOST_POSITIONS = 20;

/**
 * The last changes of a client. Its reads wait for them, so that they find in the feed and in the audit log what the client has done,
 * whichever process of the server answers.
 */
export class RecentChanges {
  #changes: readonly { readonly position: string; readonly at: number }[] = [];

  /** Keeps the position of the change that was answered, if it has one. */
  add({ headers }: Response): void {
    const position = headers.get(POSITION);
    if (position === null) return;
    const change = { position, at: performance.now() };
    this.#changes = [...this.#changes, change].slice(-MOST_POSITIONS);
  }

  /** Has a read wait for them, unless it states itself what for. */
  waitFor(headers: Headers): void {
    const now = performance.now();
    this.#changes = this.#changes.filter(({ at }) => now - at < WAITED_FOR_MS);
    if (this.#changes.length === 0 || headers.has(WAIT_FOR)) return;
    headers.set(WAIT_FOR, this.#changes.map(({ position }) => position).join(', '));
  }
}
