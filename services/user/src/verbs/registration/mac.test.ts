import { describe, expect, it } from 'vitest';
import { macMatches, registrationMac } from './mac.ts';

/** Computed with Python's `hmac`: secret, nonce, user name, password, admin, user type, MAC. */
const VECTORS = [
  ['secret', 'nonce', 'alice', 'pass word', false, undefined, '88a782278dcace9fe7c1348c29dc0552c0738ed1'],
  ['secret', 'nonce', 'alice', 'pass word', false, '', '88a782278dcace9fe7c1348c29dc0552c0738ed1'],
  ['secret', 'nonce', 'alice', 'pass word', true, undefined, 'e2e6345d5f537868629cdb968d11d19e67bec31d'],
  ['secret', 'nonce', 'alice', 'pass word', false, 'bot', '07f91e12e443a8c58659ef9831e5bdfd7c348d79'],
  ['secret', 'nonce', 'Alice', 'pass word', true, 'support', '8be3101013a8e097950a467c8a3b05c24b1b0a00'],
  ['sécret ☃', 'n', 'бob', 'päss😀', false, undefined, '7059559c5c0a63eaef4261552481fc15be037c6b'],
  ['', 'nonce', 'alice', 'pass word', false, undefined, '9cbacfae32b7c94de56607f076c3c3e865ebcf37'],
] as const;

it.each(VECTORS)(
  'with %j over %j, %j, %j, %j, %j is %s',
  (secret, nonce, username, password, admin, userType, mac) => {
    expect(registrationMac(secret, { nonce, username, password, admin, userType })).toBe(mac);
  },
);

describe('a MAC', () => {
  const mac = VECTORS[0][6];
  it.each([
    [mac, true],
    [mac.toUpperCase(), false],
    [mac.slice(1), false],
    [`${mac} `, false],
    ['', false],
    // As many bytes, fewer characters.
    ['é'.repeat(mac.length / 2), false],
  ])('given as %j matches: %s', (given, matches) => {
    expect(macMatches(mac, given)).toBe(matches);
  });
});
