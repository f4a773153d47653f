/** Precedes the id of a group; ids of identity providers contain no colon. */
const PREFIX = 'group:';

/** As what a group gives roles, see `ProvidedRole`. */
export function groupProvider(groupId: string): string {
  return `${PREFIX}${groupId}`;
}

/** Whether a group gave a role, and not an identity provider. */
export function isGroupProvider(provider: string): boolean {
  return provider.startsWith(PREFIX);
}
