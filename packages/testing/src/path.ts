/**
 * A path with ids in it, each encoded as one segment: ``path`/v2/users/${userId}/devices` ``. The
 * text around the ids stays as it is written.
 */
export function path(texts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: texts }, ...ids.map(encodeURIComponent));
}
