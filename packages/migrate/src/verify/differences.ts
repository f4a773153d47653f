import { isObject, type JsonObject, own } from '@steward/kernel';

/** A place at which two answers differ. */
export interface Difference {
  /** The names of fields and, of lists with names for their items, those names. */
  readonly path: readonly string[];
  /** Undefined for absent. */
  readonly old: unknown;
  readonly now: unknown;
}

/** What names the items of lists, by the path of the list. Other lists are compared item by item, in their order. */
export type Named = Readonly<Record<string, (item: unknown) => string>>;

/** Finds the places at which two answers differ. Absent and null are the same. */
export function differencesOf(old: unknown, now: unknown, named: Named = {}): readonly Difference[] {
  return [...compare(old ?? undefined, now ?? undefined, [], named)];
}

function* compare(old: unknown, now: unknown, path: readonly string[], named: Named): Generator<Difference> {
  const nameOf = named[path.join('/')];
  const [a, b] = nameOf ? [byName(old, nameOf), byName(now, nameOf)] : [fieldsOf(old), fieldsOf(now)];
  if (a === undefined || b === undefined || Array.isArray(old) !== Array.isArray(now)) {
    if (old !== now) yield { path, old, now };
    return;
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
    yield* compare(own(a, name) ?? undefined, own(b, name) ?? undefined, [...path, name], named);
}

/** The items of a list by their names. */
function byName(list: unknown, nameOf: (item: unknown) => string): JsonObject | undefined {
  return Array.isArray(list) ? Object.fromEntries(list.map((item) => [nameOf(item), item])) : undefined;
}

function fieldsOf(value: unknown): JsonObject | undefined {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return isObject(value) ? value : undefined;
}
