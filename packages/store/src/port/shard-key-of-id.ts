/** The part of an id before its first space: of ids that begin with the id of a user, a room or a device. */
export function firstWord(id: string): string {
  const end = id.indexOf(' ');
  return end < 0 ? id : id.slice(0, end);
}

/** The first string of an id that is a JSON array. */
export function firstOfList(id: string): string {
  const [first] = JSON.parse(id) as readonly string[];
  return first ?? '';
}
