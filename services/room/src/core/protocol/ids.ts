import { isIPv6 } from 'node:net';

/** The greatest length of an id in events, in bytes (client-plane.md 3). */
export const ID_MAX_BYTES = 255;

const HASH_ROOM_ID = /^![A-Za-z0-9_-]{43}$/;
const NAME_AND_PORT = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** Whether a string is a server name: a host name, an IPv4 address or a bracketed IPv6 address; optionally a port. */
export function isServerName(name: string): boolean {
  const host = NAME_AND_PORT.exec(name)?.[1];
  if (host === undefined) return false;
  return !host.startsWith('[') || isIPv6(host.slice(1, -1));
}

/** Whether an id can be stored and sent: not too long, valid Unicode, and without NUL, which an engine may refuse. */
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

/** Whether a string can be an event id; ids are only compared, so that their form hardly matters. */
export function isEventId(id: string): boolean {
  return id.length > 1 && id.startsWith('$') && isStorableId(id);
}

/** Whether a string can be a user id, including historical ones (client-plane.md 3). */
export function isUserId(id: string): boolean {
  return isSigiledId(id, '@');
}

/** The text after the first colon of an id; empty without a colon. */
export function serverNameOf(id: string): string {
  const colon = id.indexOf(':');
  return colon < 0 ? '' : id.slice(colon + 1);
}

function isSigiledId(id: string, sigil: string): boolean {
  return id.startsWith(sigil) && isStorableId(id) && isServerName(serverNameOf(id));
}
