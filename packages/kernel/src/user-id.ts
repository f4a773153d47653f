/** A user id taken apart at its first colon. */
export interface UserId {
  /** The id as it was given. */
  readonly id: string;
  /** What stands between `@` and the first `:`; may be empty. */
  readonly localpart: string;
  /** What follows the first `:`; may be empty. */
  readonly domain: string;
}

/**
 * Takes a user id apart: it starts with `@` and holds a `:`. Grammar and length are not checked,
 * because ids of other servers and of older days must still be readable (behaviour.md 0.8).
 *
 * @returns `undefined` for a string of any other form
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
