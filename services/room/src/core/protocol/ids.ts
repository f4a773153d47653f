import { isIPv6 } from 'node:net';

/** The longest of the ids that events hold, in bytes (client-plane.md 3). */
export const ID_MAX_BYTES = 255;

const HASH_ROOM_ID = /^![A-Za-z0-9_-]{43}$/;
const NAME_AND_PORT = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/**
 * Whether a string names a server: a host name, an IPv4 address or an IPv6 address in brackets, and
 * perhaps a port.
 */
export function isServerName(name: string): boolean {
  const host = NAME_AND_PORT.exec(name)?.[1];
  if (host === undefined) return false;
  return !host.startsWith('[') || isIPv6(host.slice(1, -1));
}

/** Whether an id can be stored and sent: not too long, Unicode, and without NUL, which an engine may not hold. */
export function isStorableId(id: string): boolean {
  return Buffer.byteLength(id) <= ID_MAX_BYTES && id.isWellFormed() && !id.includes('\0');
}

/** Whether a string is a legal room id (behaviour.md 0.8), of either form. */
export function isRoomId(id: string): boolean {
  return HASH_ROOM_ID.test(id) || isSigiledId(id, '!');
}

/** Whether a string is a legal room alias (behaviour.md 0.8). */
export function isRoomAlias(alias: string): boolean {
  return isSigiledId(alias, '#');
}

/** Whether a string can be the localpart of a new alias: not empty, no white space and no colon. */
export function isNewAliasLocalpart(localpart: string): boolean {
  return localpart !== '' && !/[\s:\0]/.test(localpart) && localpart.isWellFormed();
}

/** Whether a string can be an event id. Ids are compared as they are, so there is little more to know. */
export function isEventId(id: string): boolean {
  return id.length > 1 && id.startsWith('$') && isStorableId(id);
}

/** Whether a string can be the id of a user, of today or of older days (client-plane.md 3). */
export function isUserId(id: string): boolean {
  return isSigiledId(id, '@');
}

/** What follows the first colon of an id; empty where there is none. */
export function serverNameOf(id: string): string {
  const colon = id.indexOf(':');
  return colon < 0 ? '' : id.slice(colon + 1);
}

function isSigiledId(id: string, sigil: string): boolean {
  return id.startsWith(sigil) && isStorableId(id) && isServerName(serverNameOf(id));
}
