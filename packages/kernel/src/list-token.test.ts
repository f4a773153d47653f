import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListToken, writeListToken } from './mod.ts';

test('a token of a list holds its position in letters that need no escape in a URL', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null))),
      (position) => {
        const token = writeListToken(position);
        expect(token).toBe(encodeURIComponent(token));
        expect(readListToken(token)).toEqual(position);
      },
    ),
  );
});

test.each([
  ['an empty text', ''],
  ['a letter of another alphabet', `${writeListToken([1])}+`],
  ['a padded text', 'WzFd='],
  ['a text that holds an object', Buffer.from('{}').toString('base64url')],
  ['a text that holds other than JSON', Buffer.from('[1').toString('base64url')],
])('%s is not a token of a list', (_, text) => {
  expect(readListToken(text)).toEqual([]);
});
