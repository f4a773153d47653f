/** An exclamation mark, then the hash of the first event, or a text and the name of a server. */
const ROOM_ID = /^!([A-Za-z0-9_-]{43}|[^:]*:([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?)$/u;
const MAX_ID_BYTES = 255;

/** Whether a text can be the id of a room; the server refuses others. */
export function isRoomId(text: string): boolean {
  return ROOM_ID.test(text) && new TextEncoder().encode(text).length <= MAX_ID_BYTES;
}
