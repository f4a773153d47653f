/** A parsed JSON object. Its keys may come from a client: look them up with `own`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under a key, if the JSON value is an object; never an inherited property. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Like `own`, for a string. */
export function ownString(value: unknown, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** The strings of a list; empty for anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The object with only the listed keys. */
export function pick(value: JsonObject, keys: Iterable<string>): JsonObject {
  return Object.fromEntries(
    [...keys].filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]),
  );
}
