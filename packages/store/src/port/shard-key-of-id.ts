/** The id of a user or a room, up to the end of its server name: what precedes the name may hold spaces. */
const SERVED = /^[@!][^:]*:[^ ]*/;

/** The id of a room without a server name. */
const HASH_ROOM = /^![\w-]{43}(?= |$)/;

/** The id of a user, a room or a key ring with which a longer id begins; a space follows it. */
export function firstId(id: string): string {
  const [first] = HASH_ROOM.exec(id) ?? SERVED.exec(id) ?? id.split(' ', 1);
  return first ?? '';
}

/** The first string of an id that is a JSON array. */
export function firstOfList(id: string): string {
  const [first] = JSON.parse(id) as readonly string[];
  return first ?? '';
}
