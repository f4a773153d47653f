import type { Requester } from '@steward/rpc';
import { expect, it } from 'vitest';
import { transactionKey } from './transaction-key.ts';

const caller: Requester = {
  userId: '@admin:test',
  owner: '@admin:test',
  deviceId: undefined,
  tokenId: 'one',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};
const key = (changes: Partial<Requester>) => transactionKey({ ...caller, ...changes }, 'txn');

it('tells access tokens without a device apart, and not those of one device', () => {
  expect(key({ tokenId: 'other' })).not.toBe(key({}));
  expect(key({ deviceId: 'D', tokenId: 'other' })).toBe(key({ deviceId: 'D' }));
});

it('the transaction key is the same for all secrets of an automation token', () => {
  const token = { userId: 'token:1', owner: 'token:1', kind: 'automation_token' } as const;
  expect(key({ ...token, tokenId: 'rotated' })).toBe(key(token));
  expect(key({ ...token, userId: 'token:2' })).not.toBe(key(token));
});
