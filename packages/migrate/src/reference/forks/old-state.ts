import { literal, type SourceDatabase } from '../source/database.ts';

/** The events of a state, by `stateKeyOf`. */
type State = Map<string, string>;

/** The key of a type and state key. */
export function stateKeyOf(type: unknown, stateKey: unknown): string {
  return JSON.stringify([type, stateKey]);
}

/**
 * The state of a room as the old server has stored it, which moves from group to group. A group has the differences from the one
 * before it, or all of the state. In memory are the state, and the group before each group of the room.
 */
export class OldState {
  readonly #database: SourceDatabase;
  readonly #before: ReadonlyMap<number, number>;
  readonly #state: State = new Map();
  #chain: readonly number[] = [];

  private constructor(database: SourceDatabase, before: ReadonlyMap<number, number>) {
    this.#database = database;
    this.#before = before;
  }

  /** The state of a room, before its first group. */
  static async open(database: SourceDatabase, roomId: string): Promise<OldState> {
    const before = new Map<number, number>();
    const edges = database.rows(
      `SELECT edges.state_group, edges.prev_state_group FROM state_group_edges AS edges JOIN state_groups ON state_groups.id = edges.state_group WHERE state_groups.room_id = ${literal(roomId)}`,
    );
    for await (const { state_group, prev_state_group } of edges)
      before.set(Number(state_group), Number(prev_state_group));
    return new OldState(database, before);
  }

  get(key: string): string | undefined {
    return this.#state.get(key);
  }

  /** Moves to a group; returns the keys whose events may have changed. */
  async moveTo(group: number): Promise<ReadonlySet<string>> {
    const from = this.#chain;
    if (from[0] === group) return new Set();
    const to = this.#chainOf(group);
    this.#chain = to;
    const earlier = new Set(from);
    const common = to.findIndex((each) => earlier.has(each));
    const shared = common < 0 ? [] : to.slice(common);
    const changes = await this.#read(common < 0 ? to : to.slice(0, common));
    const left = shared[0] === undefined ? [] : from.slice(0, from.indexOf(shared[0]));
    const undone = shared.length === 0 ? this.#state.keys() : (await this.#read(left)).keys();
    const touched = new Set(changes.keys());
    for (const key of [...undone]) {
      if (touched.has(key)) continue;
      touched.add(key);
      const held = await this.#read(shared, key);
      const event = held.get(key);
      if (event === undefined) this.#state.delete(key);
      else this.#state.set(key, event);
    }
    for (const [key, event] of changes) this.#state.set(key, event);
    return touched;
  }

  /** A group and those before it. */
  #chainOf(group: number): readonly number[] {
    const chain = new Set<number>();
    // A chain that leads back to itself is broken, and ends there.
    for (let next: number | undefined = group; next !== undefined && !chain.has(next); ) {
      chain.add(next);
      next = this.#before.get(next);
    }
    return [...chain];
  }

  /** What groups say, of which the first one counts; of one key, or of all. */
  async #read(groups: readonly number[], only?: string): Promise<State> {
    if (groups.length === 0) return new Map();
    const [type, stateKey] = only === undefined ? [] : (JSON.parse(only) as [string, string]);
    const of =
      only === undefined
        ? ''
        : ` AND type = ${literal(type ?? '')} AND state_key = ${literal(stateKey ?? '')}`;
    const ranks = new Map(groups.map((group, rank) => [group, rank]));
    const found = new Map<string, { readonly event: string; readonly rank: number }>();
    const rows = this.#database.rows(
      `SELECT state_group, type, state_key, event_id FROM state_groups_state WHERE state_group IN (${groups.join(', ')})${of}`,
    );
    for await (const row of rows) {
      const key = stateKeyOf(row.type, row.state_key);
      const rank = ranks.get(Number(row.state_group)) ?? 0;
      const other = found.get(key);
      if (!other || rank < other.rank) found.set(key, { event: String(row.event_id), rank });
    }
    return new Map([...found].map(([key, { event }]) => [key, event]));
  }
}
