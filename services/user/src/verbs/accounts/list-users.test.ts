import { compareCodePoints } from '@steward/kernel';
import {
  type AccountFilter,
  AccountService,
  type ListUsersRequest,
} from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { type OwnStore, stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, newAccount, withDerived } from '../../core/model/account.ts';
import { externalIdKey } from '../../core/model/external-id.ts';
import { foldText } from '../../core/model/fold-text.ts';
import { heldEmail, type WritableCollections, writableCollections } from '../../fixtures/state.ts';
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

/** Addresses that texts of the queries are parts of. */
const ADDRESSES = ['a@b', 'A@ß.test', 'b@b'];

const accountFields = fc.record({
  localpart: text(1, 4),
  displayname: fc.option(text(1, 5)),
  addresses: fc.subarray(ADDRESSES),
  hasExternalId: fc.boolean(),
  suspended: fc.boolean(),
  bridged: fc.boolean(),
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
const time = fc.bigInt({ min: 0n, max: 4n });
/** Few of the filters are given, so that some accounts are left. */
const mostlyUnset = <T>(given: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, given);

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
  erased: mostlyUnset(fc.boolean()),
  isLocked: mostlyUnset(fc.boolean()),
  isGuest: mostlyUnset(fc.boolean()),
  isDeactivated: mostlyUnset(fc.boolean()),
  suspended: mostlyUnset(fc.boolean()),
  shadowBanned: mostlyUnset(fc.boolean()),
  hideBridges: fc.boolean(),
  userType: fc.oneof(
    { weight: 4, arbitrary: fc.constant<string[]>([]) },
    fc.subarray(['none', '', 'bot', 'support', ...OTHER_TYPES]),
  ),
  threepid: mostlyUnset(fc.constantFrom(...ADDRESSES.map((address) => `email:${address}`), 'msisdn:1')),
  threepidContains: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    fc.constantFrom('@', 'SS', 'a@', 'b@b', 'b\na', '@b\nb'),
  ),
  externalId: mostlyUnset(text(1, 3).map((id) => `oidc:${id}`)),
  createdBefore: mostlyUnset(time),
  createdAfter: mostlyUnset(time),
  lastSeenBefore: mostlyUnset(time),
  lastSeenAfter: mostlyUnset(time),
  neverSeen: mostlyUnset(fc.boolean()),
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
      // Until then it may clear flags of bridges that the cases set.
      await service.service.whenIdle();
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
            const { isDeactivated, ...filter } = request;
            const { users, total, nextToken } = await client.listUsers({ filter, isDeactivated });
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

function toAccount(person: Person): Account {
  const {
    localpart,
    creation_ts: now,
    awaits_approval: awaits,
    addresses,
    hasExternalId,
    ...fields
  } = person;
  return withDerived({
    ...newAccount({ localpart, serverName: SERVER_NAME, now }),
    ...fields,
    threepids: addresses.map((address) => heldEmail(address.toLowerCase())),
    external_ids: hasExternalId
      ? [{ key: externalIdKey('oidc', localpart), auth_provider: 'oidc', external_id: localpart }]
      : [],
    ...(awaits === undefined ? {} : { awaits_approval: awaits }),
  });
}

type Person = typeof accountFields extends fc.Arbitrary<infer T> ? T : never;
type ListQuery = Partial<AccountFilter & Pick<ListUsersRequest, 'isDeactivated'>>;

function listInMemory(accounts: readonly Account[], request: ListQuery) {
  const { orderBy = 'name', dir = 'f', name, userId, guests, deactivated, locked, admins } = request;
  const contains = (text: string | null, term: string) => !!text?.toLowerCase().includes(term.toLowerCase());
  const containsFolded = (text: string | null, term: string) => foldText(text ?? '').includes(foldText(term));
  const is = (value: boolean | undefined, asked: boolean | undefined) =>
    asked === undefined || value === asked;
  const isWithin = (value: number | null, after: bigint | undefined, before: bigint | undefined) =>
    (after === undefined && before === undefined) ||
    (value !== null && (after === undefined || value >= after) && (before === undefined || value < before));
  // Of several accounts with the same claim on an address the last one is its owner.
  const ownerOf = (threepid: string) =>
    accounts
      .filter(({ threepids }) =>
        threepids.some(({ address }) => `email:${address}` === threepid.toLowerCase()),
      )
      .map(({ _id }) => _id)
      .toSorted()
      .at(-1);
  const matching = accounts.filter((account) => {
    if (guests === false && account.is_guest) return false;
    if (!is(account.is_guest, request.isGuest)) return false;
    if (
      !is(account.deactivated, request.isDeactivated ?? (deactivated || request.erased ? undefined : false))
    )
      return false;
    if (!is(account.locked, request.isLocked ?? (locked ? undefined : false))) return false;
    if (!is(account.admin, admins) || !is(account.erased, request.erased)) return false;
    if (!is(account.suspended, request.suspended)) return false;
    if (!is(account.shadow_banned, request.shadowBanned)) return false;
    if (request.hideBridges && account.bridged) return false;
    if (request.approved === false && !account.awaits_approval) return false;
    if (request.notUserType?.includes(account.user_type ?? '')) return false;
    const types = request.userType?.map((type) => (type === 'none' ? '' : type)) ?? [];
    if (types.length > 0 && !types.includes(account.user_type ?? '')) return false;
    if (request.threepid !== undefined && account._id !== ownerOf(request.threepid)) return false;
    if (
      request.threepidContains &&
      !account.threepids.some(({ address }) => containsFolded(address, request.threepidContains ?? ''))
    )
      return false;
    if (
      request.externalId !== undefined &&
      account.external_ids[0]?.external_id !== request.externalId.slice('oidc:'.length)
    )
      return false;
    if (!isWithin(account.creation_ts, request.createdAfter, request.createdBefore)) return false;
    if (!isWithin(account.last_seen_ts, request.lastSeenAfter, request.lastSeenBefore)) return false;
    if (!is(account.last_seen_ts === null, request.neverSeen)) return false;
    const localpart = account._id.slice(1, account._id.indexOf(':'));
    if (name) return containsFolded(localpart, name) || containsFolded(account.displayname, name);
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
    // Only where they are asked for.
    threepids: [],
    externalIds: [],
  };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}
