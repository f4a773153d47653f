/** A user id, split at its first colon. */
export interface UserId {
  /** The unchanged id. */
  readonly id: string;
  /** The part between `@` and the first `:`; may be empty. */
  readonly localpart: string;
  /** The part after the first `:`; may be empty. */
  readonly domain: string;
}

/**
 * Parses a user id, which starts with `@` and contains a `:`. Grammar and length are not checked, because
 * historical ids and ids of other servers must remain readable (behaviour.md 0.8).
 *
 * @returns `undefined` for any other string
 */
export function parseUserId(id: string): UserId | undefined {
  if (!id.startsWith('@')) return undefined;
  const colon = id.indexOf(':');
  if (colon < 0) return undefined;
  return { id, localpart: id.slice(1, colon), domain: id.slice(colon + 1) };
}

/** The user id of a localpart on a server. */
export function formatUserId(localpart: string, serverName: string): string {
  return `@${localpart}:${serverName}`;
}
