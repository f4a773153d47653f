import { openSqliteStore } from '@steward/store';
import { expect, it } from 'vitest';
import { heldEmail, idOf, seedAccount, writableCollections } from './fixtures/state.ts';
import { watchedStore } from './fixtures/watched-store.ts';
import { migrations } from './migrations.ts';

const [words, derived] = migrations;

it('adds the words of the user directory to accounts of the earlier release', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  const count = 450;
  for (let n = 0; n < count; n++) await seedAccount(collections, `user-${n}`);
  await seedAccount(collections, 'gone', { deactivated: true });
  await collections.accounts.updateMany({}, { $unset: { directory_words: true } });

  // A process of the earlier release renames an account between the reading and the writing.
  let renamed = false;
  const watched = watchedStore(store, async ({ operation }) => {
    if (operation !== 'bulkWrite' || renamed) return;
    renamed = true;
    await collections.accounts.updateOne(
      { _id: idOf('user-0') },
      { $set: { displayname: 'Other' }, $inc: { version: 1 } },
    );
  });
  await words?.run(watched);

  const found = await collections.accounts.find({}).toArray();
  expect(found.filter(({ directory_words: held }) => held === undefined)).toEqual([]);
  const wordsOf = (localpart: string) => found.find(({ _id }) => _id === idOf(localpart))?.directory_words;
  expect(wordsOf('user-0')).toEqual(['user', '0', 'other']);
  expect(wordsOf('user-449')).toEqual(['user', '449']);
  expect(wordsOf('gone')).toEqual([]);
  await store.close();
});

it('folds names, adds addresses and the flag of erased accounts to accounts of the earlier release', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  const threepids = [heldEmail('a@straße.example')];
  await seedAccount(collections, 'anna', { displayname: 'Anna Groß', threepids });
  await seedAccount(collections, 'gone', { displayname: null, deactivated: true, erased: true });
  await seedAccount(collections, 'plain');
  const current = await collections.accounts.find({}, { sort: { _id: 1 } }).toArray();
  const { updateOne } = collections.accounts;
  const set = updateOne.bind(collections.accounts);
  await set(
    { _id: idOf('anna') },
    { $set: { folded_displayname: 'anna groß' }, $unset: { folded_threepids: true } },
  );
  await set({ _id: idOf('gone') }, { $set: { facet: '10000' } });

  let written = 0;
  const watched = watchedStore(store, ({ operation, args: [operations] }) => {
    if (operation === 'bulkWrite') written += (operations as readonly unknown[]).length;
  });
  await derived?.run(watched);
  expect(await collections.accounts.find({}, { sort: { _id: 1 } }).toArray()).toEqual(current);
  expect(written).toBe(2);
  await store.close();
});
