import { openSqliteStore } from '@steward/store';
import { expect, it } from 'vitest';
import { heldEmail, idOf, seedAccount, writableCollections } from './fixtures/state.ts';
import { watchedStore } from './fixtures/watched-store.ts';
import { migrations } from './migrations.ts';

const [words, derived, addresses] = migrations;

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
  const done: number[] = [];
  await words?.run(watched, (now) => void done.push(now));
  expect(done).toEqual([200, 400, 451]);

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

it('folds addresses of the earlier release, and leaves one that two accounts had with the one that added it last', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  const added = (address: string, added_at: number) => ({ ...heldEmail(address), added_at });
  await seedAccount(collections, 'first', {
    threepids: [added('stra\u00dfe@x.de', 1), added('first@x.de', 1)],
  });
  await seedAccount(collections, 'later', { threepids: [added('strasse@x.de', 2)] });
  await seedAccount(collections, 'newest', { threepids: [added('\u03c2@x.gr', 4)] });
  await seedAccount(collections, 'older', { threepids: [added('\u03c3@x.gr', 3)] });
  await seedAccount(collections, 'plain');
  const before = await collections.accounts.findOne({ _id: idOf('plain') });
  // Also after an interruption at any point.
  for (const _ of [1, 2]) await addresses?.run(store);
  const found = await collections.accounts.find({}, { sort: { _id: 1 } }).toArray();
  const held = found.map(({ _id, threepids, folded_threepids }) => [
    _id,
    threepids.map(({ key }) => key),
    folded_threepids ?? '',
  ]);
  expect(held).toEqual([
    [idOf('first'), ['email first@x.de'], 'first@x.de'],
    [idOf('later'), ['email strasse@x.de'], 'strasse@x.de'],
    [idOf('newest'), ['email \u03c3@x.gr'], '\u03c3@x.gr'],
    [idOf('older'), [], ''],
    [idOf('plain'), [], ''],
  ]);
  expect(await collections.accounts.findOne({ _id: idOf('plain') })).toEqual(before);
  await store.close();
});
