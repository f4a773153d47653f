import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatPlace, readPlace } from './directory-cursor.ts';

it('comes back from its token', () => {
  const place = { direction: 'b', joinedMembers: 3, roomId: '!Zimmer-Ä:test' } as const;
  expect(formatPlace(place)).toMatch(/^[\w-]+$/);
  expect(readPlace(formatPlace(place))).toEqual(place);
});

it('anything else is refused', () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const value of [
    null,
    [],
    {},
    { d: 'f', n: 1.5, r: '!a' },
    { d: 'x', n: 1, r: '!a' },
    { d: 'f', n: 1, r: '\0' },
  ]) {
    expect(() => readPlace(encoded(value))).toThrow("'since' is no token");
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => readPlace(text)).toThrow("'since' is no token");
    }),
  );
});
