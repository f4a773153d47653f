/**
 * The answers that requests wait for, all of which can be given up. A race with one promise of the connection would keep
 * every answer in memory for as long as the connection lasts.
 */
export class PendingAnswers {
  readonly #rejects = new Set<(reason: unknown) => void>();

  /** Resolves as `answer` does, unless `giveUp` is called before. */
  wait<T>(answer: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#rejects.add(reject);
    answer.then(resolve, reject).finally(() => this.#rejects.delete(reject));
    return promise;
  }

  /** Rejects what is waited for now. */
  giveUp(reason: Error): void {
    for (const reject of this.#rejects) reject(reason);
    this.#rejects.clear();
  }
}
