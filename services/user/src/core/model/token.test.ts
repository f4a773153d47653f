import { systemRandom } from '@steward/kernel';
import { expect, it } from 'vitest';
import { newAccount } from './account.ts';
import { expiryOf, isAlive, newToken, type Token, tokenDigest } from './token.ts';

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

it.each([
  [undefined, undefined, true],
  [undefined, 1, false],
  [1, 2, false],
  [2, 2, true],
])('a token to act as a user, of the term %s, is alive in the term %s: %s', (term, now, alive) => {
  const token = { _id: 'token', epoch: 0, user_id: '@b:test', owner: '@a:test' } as Token;
  const owner = newAccount({ localpart: 'a', serverName: 'test', now: 0 });
  const termOf = (admin_term?: number) => (admin_term === undefined ? {} : { admin_term });
  expect(isAlive({ ...token, ...termOf(term) }, { ...owner, ...termOf(now) })).toBe(alive);
  const own = { ...token, user_id: '@a:test', ...termOf(term) };
  expect(isAlive(own, { ...owner, ...termOf(now) })).toBe(true);
});

it.each([
  { other: true, until: null, max: undefined, expiry: null },
  { other: true, until: 5, max: undefined, expiry: 5 },
  { other: true, until: null, max: 10, expiry: 11 },
  { other: true, until: 5, max: 10, expiry: 5 },
  { other: true, until: 50, max: 10, expiry: 11 },
  { other: true, until: -1, max: 10, expiry: -1 },
  { other: false, until: null, max: 10, expiry: null },
  { other: false, until: 50, max: 10, expiry: 50 },
])('a token expires in time: %j', ({ other, until, max, expiry }) => {
  const token = {
    user_id: '@a:test',
    owner: other ? '@b:test' : '@a:test',
    created_ts: 1,
    valid_until_ms: until,
  };
  expect(expiryOf(token as Token, max)).toBe(expiry);
});
