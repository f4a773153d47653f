/** A document with some top-level fields, as a new object; with all of them, the document itself, unless they are given. */
export function project<T extends object>(document: T, named: readonly string[] | undefined): T {
  if (!named) return document;
  const picked: Record<string, unknown> = {};
  for (const field of named) if (field in document) picked[field] = document[field as keyof T];
  return picked as T;
}
