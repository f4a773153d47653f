const TOKEN = /^[A-Za-z0-9_-]+$/;

/** Writes the parts of a position in a list as a text that has no meaning to clients. */
export function writeListToken(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads the parts of a position, which clients may have made up; none for a text that is not a token. */
export function readListToken(token: string): readonly unknown[] {
  if (!TOKEN.test(token)) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
