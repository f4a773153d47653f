import { DirectoryService } from '@steward/proto/steward/user/v1/directory_pb.ts';
import { openSqliteStore } from '@steward/store';
import { explain, type OwnStore, stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, accounts, newAccount, withDerived } from '../../core/model/account.ts';
import { idOf, seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { SERVER_NAME, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { type StoreCall, watchedStore } from '../../fixtures/watched-store.ts';
import { noRooms, type Rooms } from '../../peers/rooms.ts';

const RUNS = 100;
const REMOTE_RUNS = 10;
const SEARCHES_PER_RUN = 10;

const CHARACTERS = [...'abAB%_\\.*^$[- éÉ～😀'];
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength, maxLength });

const person = fc.record({
  localpart: text(1, 4),
  displayname: fc.option(text(1, 6)),
  deactivated: fc.boolean(),
  locked: fc.boolean(),
  user_type: fc.constantFrom(null, null, 'bot', 'support'),
});
const population = fc.uniqueArray(person, { selector: ({ localpart }) => localpart, maxLength: 20 });
const search = fc.record({
  searchTerm: text(0, 3),
  limit: fc.option(fc.bigInt({ min: -1n, max: 60n }), { nil: undefined }),
});

const ALL_USERS = { user_directory: { search_all_users: true } };

for (const { title, missing, remote, open } of stores) {
  describe.skipIf(missing)(`a search ${title}`, () => {
    let own: OwnStore;
    let collections: WritableCollections;
    let service: TestService;
    beforeAll(async () => {
      own = await open();
      collections = await writableCollections(own.store);
      service = await startTestService({ store: own.store, config: ALL_USERS });
    });
    afterAll(async () => {
      await service.close();
      await own.drop();
    });

    it('finds the same accounts as a search over all of them in memory', async () => {
      const client = service.client(DirectoryService);
      await fc.assert(
        fc.asyncProperty(
          population,
          fc.array(search, { maxLength: SEARCHES_PER_RUN }),
          async (people, requests) => {
            const accounts = people.map(toAccount);
            await collections.accounts.deleteMany({});
            await collections.accounts.insertMany(accounts);
            for (const request of requests) {
              const { limited, results } = await client.searchUsers(request);
              const expected = new Set(searchInMemory(accounts, request.searchTerm));
              const limit = Math.min(Math.max(Number(request.limit ?? 10n), 0), 50);
              const found = new Set(results.map(({ userId }) => userId));
              expect(found.size).toBe(Math.min(expected.size, limit));
              expect(found.isSubsetOf(expected)).toBe(true);
              expect(limited).toBe(expected.size > limit);
            }
          },
        ),
        { numRuns: remote ? REMOTE_RUNS : RUNS },
      );
    });
  });
}

function toAccount({
  localpart,
  ...fields
}: typeof person extends fc.Arbitrary<infer T> ? T : never): Account {
  return withDerived({ ...newAccount({ localpart, serverName: SERVER_NAME, now: 0 }), ...fields });
}

function searchInMemory(accounts: readonly Account[], term: string): readonly string[] {
  const prefixes = splitWords(term);
  if (prefixes.length === 0) return [];
  return accounts
    .filter(({ deactivated, locked, user_type: type }) => !deactivated && !locked && type !== 'support')
    .filter(({ _id, displayname }) => {
      const words = splitWords(`${_id.slice(1, _id.indexOf(':'))} ${displayname ?? ''}`);
      return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
    })
    .map(({ _id }) => _id);
}

/** Splits a text at those characters of this test that are not part of a word. */
function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll('～', '~')
    .split(/[%_\\.*^$[\-~ ]/)
    .filter((word) => word !== '');
}

describe('a search limited to users who are visible to the searcher', () => {
  const SIZE = 300;
  const visible = new Set([idOf('crowd-007'), idOf('crowd-250')]);
  const batchSizes: number[] = [];
  const rooms: Rooms = {
    ...noRooms,
    async visibleTo(_, candidates) {
      batchSizes.push(candidates.length);
      return new Set(candidates.filter((id) => visible.has(id)));
    },
  };

  it('checks visibility in batches, and stops when it has enough results', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    const { accounts: accountsOf } = await writableCollections(store);
    const people = Array.from({ length: SIZE }, (_, n) =>
      newAccount({ localpart: `crowd-${String(n).padStart(3, '0')}`, serverName: SERVER_NAME, now: 0 }),
    );
    await accountsOf.insertMany(people);
    const service = await startTestService({ store, rooms });
    const client = service.client(DirectoryService);
    const all = await client.searchUsers({ searchTerm: 'crowd' });
    expect(all.results.map(({ userId }) => userId)).toEqual([...visible]);
    expect(all.limited).toBe(false);
    expect(batchSizes.splice(0)).toEqual([100, 100, 100]);
    const one = await client.searchUsers({ searchTerm: 'crowd', limit: 0n });
    expect(one).toMatchObject({ limited: true, results: [] });
    expect(batchSizes).toEqual([100]);
    await service.close();
    await store.close();
  });
});

it.each([
  ['no users when the directory is disabled', { ...ALL_USERS.user_directory, enabled: false }],
  ['no users who are not visible to the searcher, unless all users are searched', {}],
])('finds %s', async (_, settings) => {
  const store = await openSqliteStore({ path: ':memory:' });
  await seedAccount(await writableCollections(store), 'alice');
  const service = await startTestService({ store, config: { user_directory: settings } });
  const found = await service.client(DirectoryService).searchUsers({ searchTerm: 'alice' });
  expect(found).toMatchObject({ limited: false, results: [] });
  await service.close();
  await store.close();
});

it.each([{}, { show_locked_users: true }])('reads along an index, with %j', async (settings) => {
  const store = await openSqliteStore({ path: ':memory:' });
  const calls: StoreCall[] = [];
  const service = await startTestService({
    store: watchedStore(store, (call) => void calls.push(call)),
    config: { user_directory: { ...ALL_USERS.user_directory, ...settings } },
  });
  // The work that the service does on its start must not be among the recorded calls.
  await service.service.whenIdle();
  const collection = await store.collection(accounts);
  const explained = async (searchTerm: string) => {
    calls.length = 0;
    await service.client(DirectoryService).searchUsers({ searchTerm });
    return calls
      .filter(({ collection: name, operation }) => name === accounts.name && operation.startsWith('find'))
      .map(({ args }) => explain(collection, ...(args as Parameters<typeof collection.find>)));
  };
  for (const { route, plan, statement } of await explained('a')) {
    expect(route).toBe('walk');
    expect(plan.join('\n')).toMatch(/directory\/elements USING COVERING INDEX/);
    expect(statement).toMatch(/k0 >= \? AND k0 < \?/);
  }
  for (const { route } of await explained('al be')) expect(route).toBe('candidates');
  for (const { route } of await explained(idOf('alice'))) expect(route).not.toBe('reader');
  await service.close();
  await store.close();
});
