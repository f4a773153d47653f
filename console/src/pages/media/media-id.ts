import type { InventoryMedia } from '@steward/sdk';

/** The id of a medium in lists: its server and its id there. */
export const mediaIdOf = ({ origin, media_id }: InventoryMedia): string => `${origin}/${media_id}`;

/** The parameters of an order for the medium of such an id. */
export function mediumOf(id: string): { readonly server_name: string; readonly media_id: string } {
  const slash = id.indexOf('/');
  return { server_name: id.slice(0, slash), media_id: id.slice(slash + 1) };
}

/** The server of a user. */
export function serverOf(userId: string): string {
  return userId.slice(userId.indexOf(':') + 1);
}
