import { systemRandom } from '@steward/kernel';
import { expect, it } from 'vitest';
import { isAutomationToken, newAutomationToken } from './automation-token.ts';

/** The token whose random bytes are 0, 1, 2 to 29; computed with Python's `base64.b32encode` and `zlib.crc32`. */
const KNOWN = 'stw_aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha57vphwlq';

it('writes tokens in the documented form', () => {
  const random = { ...systemRandom, bytes: (size: number) => Buffer.from([...Array(size).keys()]) };
  expect(newAutomationToken(random)).toBe(KNOWN);
});

it('recognizes tokens by their form and checksum, and nothing else', () => {
  const token = newAutomationToken(systemRandom);
  expect(token).toMatch(/^stw_[a-z2-7]{55}$/);
  expect(isAutomationToken(token)).toBe(true);
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'a' ? 'b' : 'a';
    expect(isAutomationToken(token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
  }
  for (const text of [
    '',
    'stw_',
    token.slice(1),
    `${token}\n`,
    ` ${token}`,
    token.toUpperCase(),
    `${token}a`,
  ])
    expect(isAutomationToken(text)).toBe(false);
});
