import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { newAccount, withDerived } from '../model/account.ts';
import { hasAdministrator } from './has-administrator.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterEach(() => store.close());

it('finds active administrators only', async () => {
  const { accounts } = await writableCollections(store);
  const deps = { accounts } as unknown as Parameters<typeof hasAdministrator>[0];
  const put = (localpart: string, admin: boolean, deactivated = false) => {
    const account = newAccount({ localpart, serverName: 'test', now: 1, admin });
    return accounts.insertOne(withDerived({ ...account, deactivated }));
  };
  await put('alice', false);
  await put('bob', true, true);
  expect(await hasAdministrator(deps)).toBe(false);
  await put('carol', true);
  expect(await hasAdministrator(deps)).toBe(true);
  await accounts.deleteOne({ _id: idOf('carol') });
  expect(await hasAdministrator(deps)).toBe(false);
});
