import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, SERVER_NAME } from '../../fixtures/test-service.ts';
import { collections as collectionList } from '../collections.ts';
import type { Deps } from '../deps.ts';
import { checkUsername } from './username.ts';

let store: Store;
let deps: Deps;
beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  const opened = await openCollections(store, collectionList);
  const settings = { reservedLocalparts: ['server'] } as unknown as Deps['settings'];
  deps = { ...opened, serverName: SERVER_NAME, settings } as Partial<Deps> as Deps;
  await seedAccount(collections, 'taken');
  await seedAccount(collections, 'Imported');
  await seedAccount(collections, 'gone', { deactivated: true });
  await seedAccount(collections, '123');
});
afterAll(() => store.close());

/** With `@`, `:` and the server's name an id has at most 255 bytes. */
const LONGEST = 255 - `@:${SERVER_NAME}`.length;

it.each([
  ['alice', undefined],
  ['a', undefined],
  ['-.=/+_', undefined],
  ['1a', undefined],
  ['a'.repeat(LONGEST), undefined],
  ['a'.repeat(LONGEST + 1), 'M_INVALID_USERNAME'],
  ['', 'M_INVALID_USERNAME'],
  ['Alice', 'M_INVALID_USERNAME'],
  ['älice', 'M_INVALID_USERNAME'],
  ['alice\n', 'M_INVALID_USERNAME'],
  ['al ice', 'M_INVALID_USERNAME'],
  ['alice:test', 'M_INVALID_USERNAME'],
  ['_alice', 'M_INVALID_USERNAME'],
  ['12', 'M_INVALID_USERNAME'],
  ['taken', 'M_USER_IN_USE'],
  ['gone', 'M_USER_IN_USE'],
  ['imported', 'M_USER_IN_USE'],
  ['server', 'M_USER_IN_USE'],
  ['server2', undefined],
  // The check whether the name is in use comes before the check for digits.
  ['123', 'M_USER_IN_USE'],
])('answers %j with %s', async (localpart, errcode) => {
  expect(await refusalOf(checkUsername(deps, localpart))).toBe(errcode);
});
