import { expect, it } from 'vitest';
import { isMarkedSecret, newMarkedSecret } from './marked-secret.ts';
import { systemRandom } from './random.ts';

it('writes the bits in base32, and the checksum of all that precedes it', () => {
  const random = { ...systemRandom, bytes: () => Buffer.from('foobar'.repeat(5)) };
  // From another implementation of base32 and CRC-32.
  const secret = newMarkedSecret('swx_', random);
  expect(secret).toBe('swx_mzxw6ytbojtg633cmfzgm33pmjqxeztpn5rgc4tgn5xweylsacudmoq');
  expect(isMarkedSecret('swx_', secret)).toBe(true);
});

it('recognises whole secrets of its prefix only', () => {
  const secret = newMarkedSecret('swx_', systemRandom);
  const other = secret.at(10) === 'a' ? 'b' : 'a';
  const changed = secret.slice(0, 10) + other + secret.slice(11);
  for (const text of [
    '',
    'swx_',
    changed,
    secret.slice(0, -1),
    `${secret}a`,
    `${secret}\n`,
    secret.toUpperCase(),
  ])
    expect(isMarkedSecret('swx_', text)).toBe(false);
  expect(isMarkedSecret('sws_', secret)).toBe(false);
});
