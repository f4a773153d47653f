type LabelValues = Readonly<Record<string, string | number>>;

/** One series of a metric. */
export interface Entry<S> {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: S;
}

type Level<S> = Map<string | number, Level<S> | Entry<S>>;

/**
 * The series of a metric, found by the values of their labels with one look-up a label; a key that is joined from them,
 * as prom-client joins one for each observation, takes several times as long.
 */
export class Series<S> {
  readonly entries: Entry<S>[] = [];
  readonly #names: readonly string[];
  readonly #create: () => S;
  readonly #root: Level<S> = new Map();

  /** @param names of the labels, at least one */
  constructor(names: readonly string[], create: () => S) {
    this.#names = names;
    this.#create = create;
  }

  /** The state of the series with these labels, which is created at its first use. */
  of(labels: LabelValues): S {
    const last = this.#names.length - 1;
    let level = this.#root;
    for (let n = 0; n < last; n++) {
      const value = labels[this.#names[n] ?? ''] ?? '';
      let next = level.get(value) as Level<S> | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(value, next);
      }
      level = next;
    }
    const value = labels[this.#names[last] ?? ''] ?? '';
    const known = level.get(value) as Entry<S> | undefined;
    return known === undefined ? this.#add(level, value, labels) : known.state;
  }

  #add(level: Level<S>, value: string | number, labels: LabelValues): S {
    const entry = {
      labels: Object.fromEntries(this.#names.map((name) => [name, String(labels[name])])),
      state: this.#create(),
    };
    level.set(value, entry);
    this.entries.push(entry);
    return entry.state;
  }
}
