const USER_ID = /^@[^:]*:.+$/s;
/** The longest user id, in bytes. */
const MAX_BYTES = 255;

/** Whether a text can be the id of a user; the server refuses others. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text) && new TextEncoder().encode(text).length <= MAX_BYTES;
}

/** Returns the server of a user id. */
export function serverOf(userId: string): string {
  return userId.slice(userId.indexOf(':') + 1);
}
