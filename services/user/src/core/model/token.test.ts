import { systemRandom } from '@steward/kernel';
import { expect, it } from 'vitest';
import { newAccount } from './account.ts';
import { isAlive, newToken, type Token, tokenDigest } from './token.ts';

it('a token is random, and stored as a digest', () => {
  const token = newToken(systemRandom);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(newToken(systemRandom)).not.toBe(token);
  // SHA-256 of "abc" (FIPS 180-2), in URL-safe base64.
  expect(tokenDigest('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

it.each([
  { token: 0, account: 0, alive: true },
  { token: 1, account: 0, alive: true },
  { token: 0, account: 1, alive: false },
  { token: 0, account: 1, except: 'other', alive: false },
  { token: 0, account: 1, except: 'token', alive: true },
  { token: 0, account: 0, deactivated: true, alive: false },
  { token: 0, account: 1, except: 'token', deactivated: true, alive: false },
])(
  'a token of epoch $token is alive in epoch $account, except $except, deactivated $deactivated: $alive',
  (row) => {
    const { token, account: epoch, except = null, deactivated = false, alive } = row;
    const owner = newAccount({ localpart: 'a', serverName: 'test', now: 0 });
    const sessions = { epoch, except };
    expect(isAlive({ _id: 'token', epoch: token } as Token, { ...owner, deactivated, sessions })).toBe(alive);
  },
);
