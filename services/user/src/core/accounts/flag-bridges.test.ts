import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idOf, seedAccount, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';
import { facetOf } from '../model/account.ts';

let store: Store;
let collections: WritableCollections;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
});
afterEach(() => store.close());

/** Starts a service with some patterns, and does some work once it has flagged the accounts. */
async function withPatterns<T>(patterns: readonly string[], work: (list: List) => Promise<T>): Promise<T> {
  const service = await startTestService({ store, config: { accounts: { bridge_patterns: patterns } } });
  await service.service.whenIdle();
  const client = service.client(AccountService);
  const list: List = {
    shown: async () => {
      const { users, total } = await client.listUsers({ filter: { hideBridges: true, locked: true } });
      expect(total).toBe(BigInt(users.length));
      return users.map(({ name }) => name);
    },
    lock: async (userId, locked) => void (await client.putUser({ userId, locked })),
    create: async (userId) => void (await client.putUser({ userId, password: 'secret' })),
  };
  try {
    return await work(list);
  } finally {
    await service.close();
  }
}

interface List {
  readonly shown: () => Promise<readonly string[]>;
  readonly lock: (userId: string, locked: boolean) => Promise<void>;
  readonly create: (userId: string) => Promise<void>;
}

it('hides the accounts of the configured bridges, existing and new ones, also after the patterns changed', async () => {
  for (const name of ['telegram_1', 'Telegram_2', 'irc-x', 'alice']) await seedAccount(collections, name);
  await seedAccount(collections, 'telegram_3', { locked: true, version: 7 });
  await withPatterns(['telegram_*'], async ({ shown, create }) => {
    expect(await shown()).toEqual([idOf('alice'), idOf('irc-x')]);
    await create(idOf('telegram_4'));
    expect(await shown()).toEqual([idOf('alice'), idOf('irc-x')]);
  });
  await withPatterns(['irc-?', 'no*'], async ({ shown }) => {
    expect(await shown()).toEqual(
      ['Telegram_2', 'alice', 'telegram_1', 'telegram_3', 'telegram_4'].map(idOf),
    );
  });
  await withPatterns([], async ({ shown }) => expect(await shown()).toHaveLength(6));
  const stored = await collections.accounts.find({}).toArray();
  for (const account of stored) expect(account.facet).toBe(facetOf(account));
  // A commit that decided before the flag changed must fail, or it would undo the flag.
  expect(stored.find(({ _id }) => _id === idOf('telegram_3'))?.version).toBe(9);
});

it('flags an account in a commit that changes its facet while the accounts are being flagged', async () => {
  await seedAccount(collections, 'telegram_1');
  await withPatterns(['telegram_*'], async ({ lock }) => {
    // As a process of other patterns leaves it.
    await collections.accounts.updateOne(
      { _id: idOf('telegram_1') },
      { $set: { bridged: false, facet: '00000' } },
    );
    await lock(idOf('telegram_1'), true);
    const [stored] = await collections.accounts.find({}).toArray();
    expect(stored).toMatchObject({ bridged: true, locked: true, facet: 'b01000' });
  });
});

it('writes nothing where the patterns are the same as before', async () => {
  await seedAccount(collections, 'telegram_1');
  const versions = async () => (await collections.accounts.find({}).toArray()).map(({ version }) => version);
  await withPatterns(['telegram_*'], async () => {});
  const before = await versions();
  await withPatterns(['telegram_*'], async () => {});
  expect(await versions()).toEqual(before);
});
