import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { toRefusal } from '@steward/errors';
import type { Plan } from '@steward/proto/steward/plan/v1/plan_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { PasskeyService } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { PlanService } from '@steward/proto/steward/user/v1/plans_pb.ts';
import { RegistrationTokenService } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import type { Collection, CollectionDeclaration, Doc, Store } from '@steward/store';
import { type OwnStore, stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections as declared } from './core/collections.ts';
import { deviceKey } from './core/model/device.ts';
import type { Passkey } from './core/model/passkey.ts';
import { heldEmail, seedAccount, type WritableCollections, writableCollections } from './fixtures/state.ts';
import { startTestService, type TestService } from './fixtures/test-service.ts';

/** The collection whose documents a kind of change counts. */
const COUNTED = {
  sessions: 'tokens',
  admin_sessions: 'adminSessions',
  devices: 'devices',
  refresh_tokens: 'refreshTokens',
  pushers: 'pushers',
  device_messages: 'deviceMessages',
  one_time_keys: 'oneTimeKeys',
  account_data: 'accountData',
  filters: 'filters',
  cross_signing_keys: 'crossSigningKeys',
  key_signatures: 'keySignatures',
  key_backups: 'keyBackups',
  backed_up_keys: 'keyBackupSessions',
  roles: 'roles',
  automation_tokens: 'automationTokens',
  registration_tokens: 'registrationTokens',
} as const;

/** Those of which each device has documents, and those that belong to the account. */
const OF_DEVICES = ['refreshTokens', 'pushers', 'deviceMessages', 'oneTimeKeys'] as const;
const OF_ACCOUNTS = ['adminSessions', 'accountData', 'filters', 'keySignatures', 'keyBackups'] as const;

const DEVICES = ['A', 'B', 'C', 'DEHYDRATED'] as const;
const SESSIONS = ['s0', 's1', 's2'] as const;

const few = fc.nat({ max: 3 });

const SECOND_FACTOR = { kind: 'totp', secret: 'secret', confirmed_ts: 1, recovery_codes: [] } as never;

/** The fields of a role, an automation token and a registration token. */
const NAMED = {
  version: 1,
  name: 'A name',
  instance: 'instance',
  description: 'A role',
  scopes: [],
  created_ts: 1,
  expires_ts: null,
  secrets: [],
  allowed_addresses: [],
};

/** What an account has. */
const state = fc.record({
  epoch: few,
  deactivated: fc.boolean(),
  erased: fc.boolean(),
  hasName: fc.boolean(),
  addresses: few,
  devices: fc.uniqueArray(fc.constantFrom(...DEVICES)),
  ofDevices: fc.record(Object.fromEntries(OF_DEVICES.map((name) => [name, few]))),
  ofAccount: fc.record(Object.fromEntries(OF_ACCOUNTS.map((name) => [name, few]))),
  actingAs: few,
  backedUpKeys: few,
  hasCrossSigningKeys: fc.boolean(),
  admin: fc.boolean(),
  hasRole: fc.boolean(),
  hasPassword: fc.boolean(),
  hasSecondFactor: fc.boolean(),
  passkeys: fc.nat({ max: 2 }),
  actsAs: few,
  /** What of the same name as the user exists. */
  named: fc.record({ roles: fc.boolean(), automationTokens: fc.boolean(), registrationTokens: fc.boolean() }),
  rooms: fc.record({ joined: few, invited: few, knocked: few }),
});

type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

const action = fc.oneof(
  fc.record({ kind: fc.constant('deactivate' as const), erase: fc.boolean() }),
  fc.record({ kind: fc.constant('delete_device' as const), deviceId: fc.constantFrom(...DEVICES, 'none') }),
  fc.record({
    kind: fc.constant('delete_devices' as const),
    devices: fc.array(fc.constantFrom(...DEVICES, 'none'), { maxLength: 6 }),
  }),
  fc.record({ kind: fc.constant('end_session' as const), sessionId: fc.constantFrom(...SESSIONS) }),
  fc.record({ kind: fc.constant('put_admin_flag' as const), admin: fc.boolean() }),
  fc.record({ kind: fc.constant('reset_password' as const), logoutDevices: fc.boolean() }),
  fc.record({ kind: fc.constant('set_roles' as const), roles: fc.subarray(['admin', 'moderator']) }),
  fc.record({ kind: fc.constant('remove_passkey' as const), passkeyId: fc.constantFrom('0', '1') }),
  fc.record({
    kind: fc.constantFrom('reset_totp', 'delete_role', 'revoke_token', 'delete_registration_token'),
  }),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

describe.each(stores)('plans of the user service $title', ({ missing, remote, open }) => {
  let own: OwnStore;
  let store: Store;
  let collections: WritableCollections;
  let service: TestService;
  let rooms = { joined: 0, invited: 0, knocked: 0 };
  let users = 0;

  beforeAll(async () => {
    if (missing) return;
    own = await open();
    store = own.store;
    collections = await writableCollections(store);
    // The last administrator could not be changed.
    await seedAccount(collections, 'other', { admin: true });
    service = await startTestService({
      store,
      rooms: {
        visibleTo: async () => new Set(),
        wakeWatchersOf: async () => {},
        countMemberships: async () => rooms,
      },
    });
  });
  afterAll(async () => {
    if (missing) return;
    await service.close();
    await own.drop();
  });

  it.skipIf(missing)('equal what the requests then do, and write nothing', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(state, action, async (made, chosen) => {
        const user = await seed(made);
        const bystander = await seed(made);
        ({ rooms } = made);
        await service.service.whenIdle();
        const before = await snapshot();
        const [plan, again] = [await outcome(planOf(chosen, user)), await outcome(planOf(chosen, user))];
        expect(again).toEqual(plan);
        expect(await snapshot()).toEqual(before);
        const counts = await countsOf(user);
        const done = await outcome(carryOut(chosen, user));
        if (typeof plan === 'string' || typeof done === 'string') {
          expect(plan).toBe(done);
          return;
        }
        await service.service.whenIdle();
        const after = await countsOf(user);
        const differences = Object.entries(counts).flatMap(([kind, count]) => {
          const difference = count - (after[kind] ?? 0);
          return difference === 0 ? [] : [[kind, difference]];
        });
        const planned = (plan as Plan).changes.map(({ kind, count }) => [kind, Number(count)]);
        expect(Object.fromEntries(planned)).toEqual(Object.fromEntries(differences));
        expect((plan as Plan).dryRun).toBe(true);
        expect(ofBystander(await snapshot(), bystander)).toEqual(ofBystander(before, bystander));
        if (chosen.kind === 'deactivate')
          expect((plan as Plan).follows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(
            rooms.joined + rooms.invited + rooms.knocked,
          );
        if (differences.length > 0) expect(await outcome(planOf(chosen, user))).not.toEqual(plan);
      }),
      { numRuns: remote ? 25 : 150 },
    );
  });

  it.skipIf(missing)('name no method that cannot be planned', async () => {
    const call = { method: 'steward.user.v1.AccountService/PutUser', request: new Uint8Array() };
    expect(await outcome(service.client(PlanService).planCall({ call }))).toBe(
      'M_UNKNOWN This request cannot be planned',
    );
  });

  /** Creates a user with documents in the collections. */
  async function seed(made: State): Promise<string> {
    const name = `user${++users}`;
    const { epoch } = made;
    const user = await seedAccount(collections, name, {
      sessions: { epoch, except: null },
      displayname: made.hasName ? name : null,
      deactivated: made.deactivated,
      erased: made.erased,
      password_hash: made.deactivated || !made.hasPassword ? null : 'hash',
      admin: made.admin,
      ...(made.hasRole ? { roles: [`${name}:instance`] } : {}),
      ...(made.hasSecondFactor && !made.deactivated ? { second_factor: SECOND_FACTOR } : {}),
      passkeys: Array.from({ length: made.deactivated ? 0 : made.passkeys }, (_, n) => passkey(name, n)),
      threepids: Array.from({ length: made.addresses }, (_, n) => heldEmail(`${name}${n}@example.org`)),
    });
    const insert = (collection: keyof typeof declared, documents: readonly object[]) =>
      (collections[collection] as unknown as Collection<Doc>).insertMany(documents as Doc[]);
    const own = { user_id: user, epoch };
    const several = (count: number, of: (n: number) => object) =>
      Array.from({ length: count }, (_, n) => ({ _id: `${user} ${n}`, ...own, ...of(n) }));
    for (const id of made.devices) {
      const isDehydrated = id === 'DEHYDRATED';
      const ring = `${user}-${id}`;
      const device = { device_id: id, display_name: `Device ${id}`, last_seen_ts: null, key_ring: ring };
      await insert('devices', [
        { _id: deviceKey(user, id), ...own, ...device, ...(isDehydrated ? { dehydrated: 1 } : {}) },
      ]);
      if (isDehydrated)
        await insert('dehydratedDevices', [{ _id: user, version: 1, device: { ...own, ...device } }]);
      else
        await insert(
          'tokens',
          several(1, () => ({ _id: ring, owner: user, device_id: id })),
        );
      for (const [collection, count] of Object.entries(made.ofDevices)) {
        const isKeyed = collection === 'oneTimeKeys' || collection === 'deviceMessages';
        if (isDehydrated && !isKeyed) continue;
        await insert(
          collection as keyof typeof declared,
          several(count as number, (n) => ({
            _id: `${ring} ${n}`,
            device_id: isDehydrated ? null : id,
            ...(collection === 'oneTimeKeys' ? { key_ring: ring, algorithm: 'a', uploaded_ts: n } : {}),
            ...(collection === 'deviceMessages' ? { queue: ring, received_ts: 0, sent: n } : {}),
          })),
        );
      }
    }
    for (const [collection, count] of Object.entries(made.ofAccount))
      await insert(
        collection as keyof typeof declared,
        several(count as number, (n) => ({
          id: SESSIONS[n],
          version: n + 1,
          created_ts: n,
          user_agent: 'a browser',
        })),
      );
    await insert(
      'tokens',
      several(made.actingAs, (n) => ({
        _id: `${user} as ${n}`,
        owner: '@root:test',
        device_id: null,
        user_epoch: epoch,
      })),
    );
    await insert(
      'keyBackupSessions',
      several(made.backedUpKeys, (n) => ({ version: 1, session_id: String(n) })),
    );
    await insert(
      'tokens',
      several(made.actsAs, (n) => ({
        _id: `${user} acts as ${n}`,
        owner: user,
        user_id: '@other:test',
        device_id: null,
      })),
    );
    for (const [collection, exists] of Object.entries(made.named))
      if (exists) await insert(collection as keyof typeof declared, [{ _id: name, ...NAMED }]);
    if (made.hasCrossSigningKeys)
      await insert('crossSigningKeys', [{ _id: user, version: 1, epoch, master: '{}' }]);
    return user;
  }

  /** All documents of the service, by collection. */
  async function snapshot(): Promise<ReadonlyMap<string, readonly string[]>> {
    const read = Object.values(declared).map(async (declaration) => {
      const collection = await store.collection(declaration as unknown as CollectionDeclaration<Doc>);
      const documents = await collection.find({}, { sort: { _id: 1 } }).toArray();
      return [declaration.name, documents.map((document) => JSON.stringify(document))] as const;
    });
    return new Map(await Promise.all(read));
  }

  async function countsOf(user: string): Promise<Readonly<Record<string, number>>> {
    const counts = Object.entries(COUNTED).map(async ([kind, collection]) => {
      const documents = await (collections[collection] as unknown as Collection<Doc>).find({}).toArray();
      return [kind, documents.filter((document) => mentions(document, user)).length] as const;
    });
    const account = await collections.accounts.findOne({ _id: user });
    const { pending, version, sessions, emptied_epoch, ...lasting } = account ?? {};
    // One that changes is counted as an account less, see `known`.
    const text = JSON.stringify(lasting);
    const isAsSeeded = known.get(user) ?? text;
    known.set(user, isAsSeeded);
    return {
      ...Object.fromEntries(await Promise.all(counts)),
      addresses: account?.threepids.length ?? 0,
      accounts: text === isAsSeeded ? 1 : 0,
    };
  }

  /** The accounts as they were first counted. */
  const known = new Map<string, string>();

  function planOf(chosen: Action, userId: string): Promise<Plan | undefined> {
    return callOf(chosen, userId, async (method, request) => {
      const bytes = toBinary(method.input, create(method.input, request));
      const call = { method: `${method.parent.typeName}/${method.name}`, request: bytes };
      return (await service.client(PlanService).planCall({ call })).plan;
    });
  }

  function carryOut(chosen: Action, userId: string): Promise<unknown> {
    return callOf(chosen, userId, (method, request) =>
      invoke(service.client(method.parent), method.localName, request),
    );
  }
});

/** Calls a method of a client by its name. */
function invoke(client: object, name: string, request: unknown): Promise<unknown> {
  const calls = client as Readonly<Record<string, (request: unknown) => Promise<unknown>>>;
  return calls[name]?.(request) ?? Promise.reject(new TypeError(`${name} is not served`));
}

/** Makes the call of an action about a user. */
function callOf<R>(
  chosen: Action,
  userId: string,
  call: <I extends DescMessage>(
    method: DescMethodUnary<I, DescMessage>,
    request: MessageInitShape<I>,
  ) => Promise<R>,
): Promise<R> {
  const name = userId.slice(1, userId.indexOf(':'));
  switch (chosen.kind) {
    case 'deactivate':
      return call(AccountService.method.deactivate, { userId, erase: chosen.erase });
    case 'delete_device':
      return call(DeviceService.method.deleteDevice, { userId, deviceId: chosen.deviceId });
    case 'delete_devices':
      return call(DeviceService.method.deleteDevices, { userId, devices: chosen.devices });
    case 'end_session':
      return call(AdminSessionService.method.endAccountAdminSession, { userId, sessionId: chosen.sessionId });
    case 'put_admin_flag':
      return call(AccountService.method.putAdminFlag, { userId, admin: chosen.admin });
    case 'reset_password':
      return call(AccountService.method.resetPassword, {
        userId,
        newPassword: 'a new one',
        logoutDevices: chosen.logoutDevices,
      });
    case 'set_roles':
      return call(RoleService.method.setAccountRoles, { userId, roles: chosen.roles });
    case 'remove_passkey':
      return call(PasskeyService.method.removeAccountPasskey, { userId, passkeyId: chosen.passkeyId });
    case 'reset_totp':
      return call(SecondFactorService.method.resetTotp, { userId });
    case 'delete_role':
      return call(RoleService.method.deleteRole, { name });
    case 'revoke_token':
      return call(AutomationTokenService.method.revokeAutomationToken, { id: name });
    case 'delete_registration_token':
      return call(RegistrationTokenService.method.deleteRegistrationToken, { token: name });
  }
}

function passkey(name: string, n: number): Passkey {
  const key = { id: String(n), credential: `${name} ${n}`, public_key: '', counter: 0 };
  return { ...key, name: 'A key', created_ts: n, used_ts: null };
}

function mentions(document: Doc, user: string): boolean {
  const {
    _id,
    user_id: userId,
    owner,
  } = document as Doc & {
    readonly user_id?: string;
    readonly owner?: string;
  };
  const name = user.slice(1, user.indexOf(':'));
  return _id === user || _id === name || userId === user || owner === user;
}

function ofBystander(documents: ReadonlyMap<string, readonly string[]>, user: string): readonly string[] {
  return [...documents.values()].flat().filter((text) => text.includes(`"${user}`));
}

/** The answer of a call, or its refusal. */
async function outcome<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call;
  } catch (error) {
    const { errcode, message } = toRefusal(error);
    return `${errcode} ${message}`;
  }
}
