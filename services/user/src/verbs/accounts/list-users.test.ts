import { compareCodePoints } from '@steward/kernel';
import { AccountService, type ListUsersRequest } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { type OwnStore, stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, newAccount, withDerived } from '../../core/model/account.ts';
import { type WritableCollections, writableCollections } from '../../fixtures/state.ts';
import { SERVER_NAME, startTestService, type TestService } from '../../fixtures/test-service.ts';

/** The runs on an in-process store, and on a store over the network. */
const RUNS = 150;
const REMOTE_RUNS = 10;
const QUERIES_PER_RUN = 25;
const MOST_ACCOUNTS = 25;

const ORDERS = [
  'name',
  'is_guest',
  'admin',
  'user_type',
  'deactivated',
  'shadow_banned',
  'displayname',
  'avatar_url',
  'creation_ts',
  'last_seen_ts',
  'locked',
] as const;

/**
 * Characters that are special in the patterns of some engine, and letters whose other case is longer or does
 * not exist. The last two sort differently by UTF-16 units than by code points.
 */
const CHARACTERS = [...'abAB%_\\.*+?^$[](){}|/"\'- éÉßİ～😀'];
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength, maxLength });

/** Types that sort differently by UTF-16 units than by code points. */
const OTHER_TYPES = ['～', '😀'];

const accountFields = fc.record({
  localpart: text(1, 4),
  displayname: fc.option(text(1, 5)),
  avatar_url: fc.constantFrom(null, 'mxc://test/a', 'mxc://test/b'),
  creation_ts: fc.integer({ min: 0, max: 3 }),
  last_seen_ts: fc.option(fc.integer({ min: 0, max: 3 })),
  is_guest: fc.boolean(),
  admin: fc.boolean(),
  deactivated: fc.boolean(),
  locked: fc.boolean(),
  shadow_banned: fc.boolean(),
  erased: fc.boolean(),
  user_type: fc.constantFrom(null, null, 'bot', 'support', ...OTHER_TYPES),
  awaits_approval: fc.constantFrom(undefined, false, true),
});

const population = fc.uniqueArray(accountFields, {
  selector: ({ localpart }) => localpart,
  maxLength: MOST_ACCOUNTS,
});

const flag = fc.constantFrom(undefined, false, true);
const query = fc.record({
  orderBy: fc.constantFrom(undefined, ...ORDERS),
  dir: fc.constantFrom(undefined, 'f', 'b'),
  from: fc.option(fc.bigInt({ min: 0n, max: BigInt(MOST_ACCOUNTS + 2) }), { nil: undefined }),
  limit: fc.option(fc.bigInt({ min: 0n, max: BigInt(MOST_ACCOUNTS + 2) }), { nil: undefined }),
  guests: flag,
  deactivated: fc.boolean(),
  locked: fc.boolean(),
  admins: flag,
  notUserType: fc.subarray(['', 'bot', 'support', 'unknown', ...OTHER_TYPES]),
  approved: flag,
  name: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, text(1, 3)),
  userId: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.constantFrom('@A', 'B:T', ':test'),
    text(1, 3),
  ),
});

for (const { title, missing, remote, open } of stores) {
  describe.skipIf(missing)(`a list ${title}`, () => {
    let own: OwnStore;
    let collections: WritableCollections;
    let service: TestService;
    beforeAll(async () => {
      own = await open();
      collections = await writableCollections(own.store);
      service = await startTestService({
        store: own.store,
        config: { registration: { require_approval: true } },
      });
    });
    afterAll(async () => {
      await service.close();
      await own.drop();
    });

    it('returns the same page as a filter, sort and slice in memory', async () => {
      const client = service.client(AccountService);
      const queries = fc.array(query, { minLength: QUERIES_PER_RUN, maxLength: QUERIES_PER_RUN });
      await fc.assert(
        fc.asyncProperty(population, queries, async (people, requests) => {
          const accounts = people.map(toAccount);
          await collections.accounts.deleteMany({});
          await collections.accounts.insertMany(accounts);
          for (const request of requests) {
            const { users, total, nextToken } = await client.listUsers(request);
            const expected = listInMemory(accounts, request);
            expect(users.map(({ name }) => name)).toEqual(expected.accounts.map(({ _id }) => _id));
            expect({ total, nextToken }).toEqual({
              total: BigInt(expected.total),
              nextToken: expected.nextToken,
            });
            expect(users.map(definedFields)).toEqual(expected.accounts.map(entryOf));
          }
        }),
        { numRuns: remote ? REMOTE_RUNS : RUNS },
      );
    });
  });
}

function toAccount({ localpart, creation_ts: now, awaits_approval: awaits, ...fields }: Person): Account {
  return withDerived({
    ...newAccount({ localpart, serverName: SERVER_NAME, now }),
    ...fields,
    ...(awaits === undefined ? {} : { awaits_approval: awaits }),
  });
}

type Person = typeof accountFields extends fc.Arbitrary<infer T> ? T : never;
type ListQuery = Partial<ListUsersRequest>;

function listInMemory(accounts: readonly Account[], request: ListQuery) {
  const { orderBy = 'name', dir = 'f', name, userId, guests, deactivated, locked, admins } = request;
  const contains = (text: string | null, term: string) => !!text?.toLowerCase().includes(term.toLowerCase());
  const matching = accounts.filter((account) => {
    if (guests === false && account.is_guest) return false;
    if (!deactivated && account.deactivated) return false;
    if (!locked && account.locked) return false;
    if (admins !== undefined && account.admin !== admins) return false;
    if (request.approved === false && !account.awaits_approval) return false;
    if (request.notUserType?.includes(account.user_type ?? '')) return false;
    const localpart = account._id.slice(1, account._id.indexOf(':'));
    if (name) return contains(localpart, name) || contains(account.displayname, name);
    return !userId || contains(account._id, userId);
  });
  const key = orderBy === 'name' ? '_id' : (orderBy as keyof Account);
  const sorted = matching.toSorted(
    (a, b) => compare(a[key], b[key]) * (dir === 'b' ? -1 : 1) || compareCodePoints(a._id, b._id),
  );
  const from = Number(request.from ?? 0n);
  const limit = Number(request.limit ?? 100n);
  const page = sorted.slice(from, from + limit);
  return {
    accounts: page,
    total: sorted.length,
    nextToken: from + limit < sorted.length ? String(from + page.length) : undefined,
  };
}

/** Null sorts first, then false, then true; strings sort by code point. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return typeof a === 'string' ? compareCodePoints(a, String(b)) : Number(a) - Number(b);
}

/** An entry of the response without its unset fields. */
function definedFields({
  $typeName,
  $unknown,
  ...fields
}: object & { $typeName: string; $unknown?: unknown }) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function entryOf(account: Account): Record<string, unknown> {
  const entry = {
    name: account._id,
    isGuest: account.is_guest,
    admin: account.admin,
    userType: account.user_type,
    deactivated: account.deactivated,
    erased: account.erased,
    shadowBanned: account.shadow_banned,
    displayname: account.displayname,
    avatarUrl: account.avatar_url,
    creationTs: BigInt(account.creation_ts),
    lastSeenTs: account.last_seen_ts === null ? null : BigInt(account.last_seen_ts),
    locked: account.locked,
    approved: !account.awaits_approval,
  };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}
