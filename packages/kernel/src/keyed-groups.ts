import { coalesceCalls } from './coalesce-calls.ts';

/** The calls of one key that have not ended. */
interface Group<T, R> {
  readonly call: (item: T) => Promise<R>;
  waiting: number;
}

/** Runs concurrent calls of one key in groups, as `coalesceCalls` does; keys are independent of each other. */
export class KeyedGroups<T, R> {
  readonly #most: number;
  readonly #groups = new Map<string, Group<T, R>>();

  /** @param most how many calls a group has at most */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Processes an item together with others of its key.
   *
   * @param run processes the items of a group; the same for all calls of a key
   * @returns what `run` returned for the group
   */
  async call(key: string, item: T, run: (items: readonly T[]) => Promise<R>): Promise<R> {
    const group = this.#groups.get(key) ?? { call: coalesceCalls(run, this.#most), waiting: 0 };
    this.#groups.set(key, group);
    group.waiting++;
    try {
      return await group.call(item);
    } finally {
      group.waiting--;
      if (group.waiting === 0) this.#groups.delete(key);
    }
  }
}
