import { systemRandom } from '@steward/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecret, parseSecret } from './secret.ts';

const encode = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;

it('a new secret has 32 bytes', () => {
  const secret = createSecret(systemRandom);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(parseSecret(secret)).toHaveLength(32);
  expect(createSecret(systemRandom)).not.toBe(secret);
});

it('accepts 24 to 64 bytes, and no other number', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 80 }), (bytes) => {
      const parsed = parseSecret(encode(bytes));
      const accepted = bytes.length >= 24 && bytes.length <= 64;
      expect(parsed && [...parsed]).toEqual(accepted ? [...bytes] : undefined);
    }),
  );
});

const bytes = Buffer.alloc(32, 0xfb);
it.each([
  ['without the prefix', bytes.toString('base64')],
  ['in the alphabet of URLs', `whsec_${bytes.toString('base64url')}=`],
  ['without padding', encode(bytes).replace('=', '')],
  ['with a line break', `${encode(bytes)}\n`],
  ['with bits after the last byte', `whsec_${'A'.repeat(42)}B=`],
])('refuses a secret %s, which not every receiver can read', (_, text) => {
  expect(parseSecret(text)).toBeUndefined();
});
