import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';
import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { DeviceMessageService } from '@steward/proto/steward/user/v1/device_messages_pb.ts';
import { FilterService } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { KeyService } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { PusherService } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { headers } from '@steward/rpc';
import type { CollectionDeclaration, Doc, Store } from '@steward/store';
import { type OwnStore, stores } from '@steward/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections as declared } from './core/collections.ts';
import { createPasswords } from './core/components/passwords.ts';
import { type Failure, failingStore } from './fixtures/failing-store.ts';
import {
  heldEmail,
  idOf,
  seedAccount,
  type WritableCollections,
  writableCollections,
} from './fixtures/state.ts';
import { startTestService, type TestService } from './fixtures/test-service.ts';

const PASSWORD = 'password';
const DEVICE = 'DEVICE';
const passwordHash = (await createPasswords()).hash(PASSWORD, 'test');

/**
 * The collections in which documents of a deactivated user may stay, and why. In all others none may stay, and the
 * user of these tests has documents in each: a new collection needs an addition to `useEverything`.
 */
const MAY_STAY: Readonly<Record<string, string>> = {
  'user.accounts': 'the account itself stays; the tests check its fields',
  'user.account_data_streams': 'no position is assigned twice, even after a reactivation',
  'user.connections': 'administrators can still query from where the account was used',
  'user.dehydrated_devices': 'no version of a slot is used twice; the tests check that it is empty',
  'user.ended_sessions': 'the clean-up is repeated later',
  'user.hour_counts': 'they belong to no user',
  'user.interactive_sessions': 'they expire, and authenticate no user by themselves',
  'user.key_change_intents': 'they are removed when the change is announced',
  'user.key_change_streams': 'they belong to no user',
  'user.key_changes': 'others still learn that the keys have changed',
  'user.login_tokens': 'they expire within two minutes, and end with the sessions of the user',
  'user.openid_tokens': 'they expire within an hour, and end with the sessions of the user',
  'user.passkey_challenges': 'they belong to no user',
  'user.provider_sign_ins': 'they belong to no user',
  'user.registration_tokens': 'they belong to no user',
  'user.roles': 'they belong to no user',
  'user.groups': 'they belong to no user; the account says in which it is',
  'user.automation_tokens': 'they belong to no user',
  'user.sign_ins': 'administrators can still see when and from where the user signed in, until they expire',
  'user.spent_nonces': 'they belong to no user',
  'user.server_keys': 'they belong to no user',
};

/** Collections whose documents may stay and have ids without the name of the user, so that those of two users would be the same. */
const NOT_CLONED: ReadonlySet<string> = new Set(['user.ended_sessions', 'user.sign_ins']);

const declarations: readonly { readonly name: string }[] = Object.values(declared);

const emptied = declarations.filter(
  (declaration) => !(declaration.name in MAY_STAY),
) as unknown as readonly CollectionDeclaration<Doc>[];

describe.each(stores)('a deactivation $title', ({ missing, remote, open }) => {
  const runs = remote ? 15 : 60;
  let own: OwnStore;
  let store: Store;
  let collections: WritableCollections;
  /** The documents of the template user by collection, as JSON. */
  let template: ReadonlyMap<string, string>;
  let users = 0;
  let writes: number;

  beforeAll(async () => {
    if (missing) return;
    own = await open();
    store = own.store;
    collections = await writableCollections(store);
    template = await makeTemplate(store, collections);
    const counting = failingStore(store, Number.POSITIVE_INFINITY, 'before');
    const service = await startTestService({ store: counting.failing, busStore: store });
    const user = await newUser();
    counting.arm();
    await deactivate(service, user);
    await service.service.whenIdle();
    writes = counting.writes();
    await service.close();
    await expectNothingLeft(user);
  });
  afterAll(() => own?.drop());

  it.skipIf(missing)('leaves no documents, wherever processes crash', { timeout: 240_000 }, async () => {
    const crash = fc.record({
      atWrite: fc.integer({ min: 1, max: writes }),
      failure: fc.constantFrom<Failure>('before', 'during', 'unavailable'),
    });
    await fc.assert(
      fc.asyncProperty(crash, fc.array(crash, { maxLength: 2 }), async (first, later) => {
        const user = await newUser();
        await crashIn(first, (service) => deactivate(service, user));
        for (const next of later) await crashIn(next, (service) => service.service.whenIdle());
        const last = await startTestService({ store });
        await last.service.whenIdle();
        // If the deactivation has not happened at all, the client repeats it.
        const account = await collections.accounts.findOne({ _id: user });
        if (!account?.deactivated) {
          expect(await countsOf(user)).toEqual(countsOfTemplate());
          await deactivate(last, user);
          await last.service.whenIdle();
        }
        expect(last.faults).toEqual([]);
        await last.close();
        await expectNothingLeft(user);
      }),
      { numRuns: runs },
    );
  });

  /** Runs work in a process that crashes, or whose store fails, at one of its writes. */
  async function crashIn(
    { atWrite, failure }: { readonly atWrite: number; readonly failure: Failure },
    work: (service: TestService) => Promise<unknown>,
  ): Promise<void> {
    const { arm, crashed, failing } = failingStore(store, atWrite, failure);
    const service = await startTestService({ store: failing, busStore: store });
    arm();
    const end = work(service)
      .then(() => service.service.whenIdle())
      .catch(() => {});
    await Promise.race([crashed, end]);
    await service.close();
    await end;
  }

  /** Creates a user who has documents in every collection. */
  async function newUser(): Promise<string> {
    const name = `user${++users}`;
    const clones = [...template].map(([collection, text]) => {
      const declaration = declarations.find((known) => known.name === collection);
      return [declaration, JSON.parse(text.replaceAll(TEMPLATE, name))] as const;
    });
    for (const [declaration, documents] of clones) {
      const collection = await store.collection(declaration as unknown as CollectionDeclaration<Doc>);
      await collection.insertMany(documents);
    }
    return idOf(name);
  }

  /** How many documents mention a user, by collection. */
  async function countsOf(user: string): Promise<Readonly<Record<string, number>>> {
    const counts = emptied.map(async (declaration) => {
      const documents = await (await store.collection(declaration)).find({}).toArray();
      return [declaration.name, documents.filter((document) => mentions(document, user)).length] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  function countsOfTemplate(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      emptied.map(({ name }) => [name, JSON.parse(template.get(name) ?? '[]').length] as const),
    );
  }

  async function expectNothingLeft(user: string): Promise<void> {
    expect(await countsOf(user)).toEqual(Object.fromEntries(emptied.map(({ name }) => [name, 0])));
    expect(await collections.accounts.findOne({ _id: user })).toMatchObject({
      deactivated: true,
      password_hash: null,
      threepids: [],
      second_factor: null,
      pending: [],
    });
    expect(await collections.dehydratedDevices.findOne({ _id: user })).toMatchObject({
      device: null,
      pending: [],
    });
  }
});

/** The name in the template, which no other text contains. */
const TEMPLATE = 'the-template';

/** A confirmed second factor. */
const SECOND_FACTOR = {
  secret: 'MFRGGZDFMZTWQ2LK',
  created_ts: 0,
  confirmed_ts: 0,
  last_step: -1,
  recovery_codes: ['digest'],
  failures: 0,
  failed_ts: 0,
};

const deactivate = (service: TestService, userId: string) =>
  service.client(AccountService).deactivate({ userId, erase: false });

function mentions(document: Doc, user: string): boolean {
  return JSON.stringify(document).includes(user);
}

/** Makes a user store documents in every collection, and moves them into a template. */
async function makeTemplate(
  store: Store,
  collections: WritableCollections,
): Promise<ReadonlyMap<string, string>> {
  const service = await startTestService({ store, config: { sessions: { refresh_tokens: true } } });
  const user = await seedAccount(collections, TEMPLATE, {
    password_hash: await passwordHash,
    roles: ['auditor'],
    threepids: [heldEmail(`${TEMPLATE}@example.org`)],
  });
  const admin = await seedAccount(collections, 'admin', { admin: true, logins: { admin: 'A' } });
  const other = await seedAccount(collections, 'other', { logins: { other: 'O' } });
  await useEverything(service, user, other);
  // Afterwards, because an access token of an account with a second factor starts no administrator session.
  await collections.accounts.updateOne({ _id: user }, { $set: { second_factor: SECOND_FACTOR } });
  await service.client(SessionService, { token: 'admin' }).loginAs({ userId: user });
  await service.service.whenIdle();
  await service.close();

  const template = new Map<string, string>();
  for (const declaration of Object.values(declarations) as unknown as CollectionDeclaration<Doc>[]) {
    const collection = await store.collection(declaration);
    const documents = (await collection.find({}).toArray()).filter((document) => mentions(document, user));
    if (NOT_CLONED.has(declaration.name)) continue;
    if (emptied.includes(declaration))
      expect(documents, `documents of a user in ${declaration.name}`).not.toEqual([]);
    await collection.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
    if (documents.length > 0) template.set(declaration.name, JSON.stringify(documents));
  }
  await collections.accounts.deleteMany({ _id: { $in: [admin, other] } });
  return template;
}

async function useEverything(service: TestService, user: string, other: string): Promise<void> {
  const { accessToken: token } = await service.client(SessionService, 'anonymous').login({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password: PASSWORD,
    deviceId: DEVICE,
    refreshToken: true,
  });
  await service
    .client(AdminSessionService, 'anonymous')
    .createAdminSession({}, { headers: { [headers.accessToken]: token } });
  await service.client(PusherService, { token }).setPusher({
    kind: 'http',
    appId: 'app',
    pushkey: TEMPLATE,
    appDisplayName: 'App',
    deviceDisplayName: 'Device',
    lang: 'en',
    data: '{"url":"https://push.example.org/_matrix/push/v1/notify"}',
  });
  const content = '{"any":"thing"}';
  await service.client(AccountDataService, { token }).putAccountData({ userId: user, type: 'a', content });
  await service.client(FilterService, { token }).createFilter({ userId: user, filter: '{}' });
  await service.client(KeyService, { token }).uploadKeys({ oneTimeKeys: { 'algorithm:id': '"key"' } });

  const messages = { [user]: '{"*":{}}' };
  await service
    .client(DeviceMessageService, { token })
    .sendToDevice({ eventType: 'a', txnId: 'a', messages });

  await service.client(OwnDeviceService, { token }).putDehydratedDevice({
    deviceId: 'DEHYDRATED',
    deviceData: '{"algorithm":"algorithm"}',
    deviceKeys: JSON.stringify({
      user_id: user,
      device_id: 'DEHYDRATED',
      algorithms: [],
      keys: {},
      signatures: {},
    }),
    oneTimeKeys: { 'algorithm:id': '"key"' },
  });

  const otherKeys = crossSigningKeysOf(other);
  await service.client(KeyService, { token: 'other' }).uploadCrossSigningKeys(otherKeys.request);
  const keys = crossSigningKeysOf(user);
  await service.client(KeyService, { token }).uploadCrossSigningKeys(keys.request);
  const signed = keys.signWithUserKey(otherKeys.master);
  const signatures = JSON.stringify({ [other]: { [otherKeys.publicKey]: signed } });
  expect(await service.client(KeyService, { token }).uploadSignatures({ signatures })).toMatchObject({
    failures: {},
  });

  const backups = service.client(KeyBackupService, { token });
  const { version } = await backups.createKeyBackup({ algorithm: 'a', authData: '{}' });
  const session = { firstMessageIndex: 0, forwardedCount: 0, isVerified: true, sessionData: '{}' };
  await backups.putSessionKey({ version, roomId: '!r:test', sessionId: 's', ...session });
}

/** A master key of a user, and a user-signing key that it has signed. */
function crossSigningKeysOf(userId: string) {
  const make = (usage: string) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    const name = raw.toString('base64').replace(/=+$/, '');
    const object = { user_id: userId, usage: [usage], keys: { [`ed25519:${name}`]: name } };
    const signs = (other: object) => ({
      ...other,
      signatures: {
        [userId]: {
          [`ed25519:${name}`]: sign(null, Buffer.from(canonicalJson(other)), privateKey).toString('base64'),
        },
      },
    });
    return { name, object, signs };
  };
  const [master, userSigning] = [make('master'), make('user_signing')];
  return {
    publicKey: master.name,
    master: master.object,
    signWithUserKey: userSigning.signs,
    request: {
      masterKey: JSON.stringify(master.object),
      userSigningKey: JSON.stringify(master.signs(userSigning.object)),
    },
  };
}
