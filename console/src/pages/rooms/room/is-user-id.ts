const USER_ID = /^@[^:]*:.+$/su;

/** Whether a text has the form of a user id. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}
