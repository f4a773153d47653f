import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDirectoryCursor, readDirectoryCursor } from './directory-cursor.ts';

it('a cursor is read from its token', () => {
  const cursor = { direction: 'b', joinedMembers: 3, roomId: '!Zimmer-Ä:test' } as const;
  expect(formatDirectoryCursor(cursor)).toMatch(/^[\w-]+$/);
  expect(readDirectoryCursor(formatDirectoryCursor(cursor))).toEqual(cursor);
});

it('any other text is refused', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const value of [
    null,
    [],
    {},
    { d: 'f', n: 1.5, r: '!a' },
    { d: 'x', n: 1, r: '!a' },
    { d: 'f', n: 1, r: '\0' },
  ]) {
    expect(() => readDirectoryCursor(encoded(value))).toThrow("'since' is not a token");
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => readDirectoryCursor(text)).toThrow("'since' is not a token");
    }),
  );
});
