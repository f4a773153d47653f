/** What `Headers` can be made of. */
export type HeadersSource = ConstructorParameters<typeof Headers>[0];

/**
 * The headers of a call that does not leave the process: texts by name. `Headers` validates and normalizes every name and
 * value for the network, which takes longer than a point read.
 */
export class CallHeaders implements Headers {
  /** Most answers have no header, so the map is made with the first one. */
  #texts: Map<string, string> | undefined;

  constructor(source?: HeadersSource) {
    if (source === undefined) return;
    if (Symbol.iterator in source) {
      for (const [name, value] of new Headers(source)) this.append(name, value);
    } else {
      for (const name in source) this.append(name, source[name] as string);
    }
  }

  get #values(): Map<string, string> {
    this.#texts ??= new Map();
    return this.#texts;
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  get(name: string): string | null {
    return this.#texts?.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#texts?.has(name.toLowerCase()) ?? false;
  }

  delete(name: string): void {
    this.#texts?.delete(name.toLowerCase());
  }

  getSetCookie(): string[] {
    const value = this.get('set-cookie');
    return value === null ? [] : [value];
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.#values) visit(value, name, this);
  }

  keys() {
    return this.#values.keys();
  }

  values() {
    return this.#values.values();
  }

  entries() {
    return this.#values.entries();
  }

  [Symbol.iterator]() {
    return this.#values.entries();
  }
}
