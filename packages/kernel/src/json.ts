/** A JSON object as it was parsed. Its keys are whatever somebody sent: look them up with `own`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a JSON value holds under a key, if it is an object; never what objects have by themselves. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** As `own`, where only a string is of use. */
export function ownString(value: unknown, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** The strings of a list; nothing for anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The object with only those of its keys that are listed. */
export function pick(value: JsonObject, keys: Iterable<string>): JsonObject {
  return Object.fromEntries(
    [...keys].filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]),
  );
}
