import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { type Flags, newAccount, withDerived } from '../model/account.ts';
import { hasAdministrator } from './has-administrator.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterEach(() => store.close());

it('finds active administrators only', async () => {
  const { accounts } = await writableCollections(store);
  const deps = { accounts, settings: { approvalRequired: false } } as unknown as Parameters<
    typeof hasAdministrator
  >[0];
  const put = (localpart: string, admin: boolean, flags: Partial<Flags> = {}) => {
    const account = newAccount({ localpart, serverName: 'test', now: 1, admin });
    return accounts.insertOne(withDerived({ ...account, ...flags }));
  };
  await put('alice', false);
  await put('bob', true, { deactivated: true });
  await put('erin', true, { locked: true });
  await put('frank', true, { suspended: true });
  expect(await hasAdministrator(deps)).toBe(false);
  await put('carol', true);
  expect(await hasAdministrator(deps)).toBe(true);
  await accounts.deleteOne({ _id: idOf('carol') });
  expect(await hasAdministrator(deps)).toBe(false);
});
