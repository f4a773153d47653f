/**
 * A path with ids, each encoded as one segment: ``path`/v2/users/${userId}/devices` ``. The text around the ids
 * is not changed.
 */
export function path(texts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: texts }, ...ids.map(encodeURIComponent));
}
