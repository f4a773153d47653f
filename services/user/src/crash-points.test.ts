import { isDeepStrictEqual } from 'node:util';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore } from '@steward/store';
import { isDue, registrationMac } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { createPasswords } from './core/components/passwords.ts';
import { tokenDigest } from './core/model/token.ts';
import { type Failure, failingStore } from './fixtures/failing-store.ts';
import {
  heldEmail,
  idOf,
  type State,
  seedAccount,
  stateOf,
  type WritableCollections,
  writableCollections,
} from './fixtures/state.ts';
import {
  refusalOf,
  SECRET,
  type SeenFact,
  startTestService,
  type TestService,
} from './fixtures/test-service.ts';

const OLD_PASSWORD = 'old password';
const NEW_PASSWORD = 'new password';
const oldHash = (await createPasswords()).hash(OLD_PASSWORD, 'test');

/** The engine of changes, and what makes it fail. */
const GUARDS = ['packages/service/', 'services/user/src/crash-points.test.ts', 'services/user/src/fixtures/'];

/** An operation, and the state before it. */
interface Operation {
  readonly seed: (collections: WritableCollections) => Promise<void>;
  readonly run: (service: TestService) => Promise<unknown>;
  /** Its observable result when nothing fails. */
  readonly expected: {
    readonly facts: readonly string[];
    /** The devices with a session. */
    readonly sessions: readonly string[];
    readonly holderOfBobsAddress?: string;
  };
}

/** Operations that are one commit with its effects: after a crash they have happened completely or not at all. */
const COMMITS: Readonly<Record<string, Operation>> = {
  'a deactivation with erasure': {
    seed: seedAliceAndBob,
    run: (service) => service.client(AccountService).deactivate({ userId: idOf('alice'), erase: true }),
    expected: { facts: ['user.deactivated'], sessions: ['B1'], holderOfBobsAddress: 'bob' },
  },
  'a password reset': {
    seed: seedAliceAndBob,
    run: (service) =>
      service.client(AccountService).resetPassword({ userId: idOf('alice'), newPassword: NEW_PASSWORD }),
    expected: { facts: [], sessions: ['B1'], holderOfBobsAddress: 'bob' },
  },
  "the change of one's own password": {
    seed: seedAliceAndBob,
    run: (service) =>
      service
        .client(AccountService, { token: 'a1' })
        .resetPassword({ userId: idOf('alice'), newPassword: NEW_PASSWORD }),
    expected: { facts: [], sessions: ['A1', 'B1'], holderOfBobsAddress: 'bob' },
  },
  'a modification of everything': {
    seed: seedAliceAndBob,
    run: (service) =>
      service.client(AccountService).putUser({
        userId: idOf('alice'),
        present: { paths: ['displayname', 'avatar_url', 'threepids', 'external_ids', 'admin', 'user_type'] },
        displayname: 'Alice A.',
        avatarUrl: 'mxc://test/avatar',
        threepids: [
          { medium: 'email', address: 'bob@example.org' },
          { medium: 'msisdn', address: '4912345' },
        ],
        externalIds: [{ authProvider: 'oidc', externalId: 'alice' }],
        admin: false,
        userType: 'bot',
        password: NEW_PASSWORD,
        locked: true,
      }),
    expected: { facts: ['user.profile_changed'], sessions: ['B1'], holderOfBobsAddress: 'alice' },
  },
  'the demotion of an administrator, who acted as a user': {
    seed: async (collections) => {
      await seedAliceAndBob(collections);
      await seedAccount(collections, 'carol', { admin: true, logins: { c1: 'C1' } });
      const acting = { user_id: idOf('bob'), owner: idOf('carol'), device_id: null, epoch: 0, user_epoch: 0 };
      await collections.tokens.insertOne({
        ...acting,
        _id: tokenDigest('carol as bob'),
        created_ts: 0,
        valid_until_ms: null,
      });
    },
    run: (service) => service.client(AccountService).putAdminFlag({ userId: idOf('carol'), admin: false }),
    expected: { facts: [], sessions: ['A1', 'A2', 'B1', 'C1'], holderOfBobsAddress: 'bob' },
  },
  'a modification that deactivates': {
    seed: seedAliceAndBob,
    run: (service) =>
      service.client(AccountService).putUser({
        userId: idOf('alice'),
        present: { paths: ['displayname', 'deactivated'] },
        displayname: 'Gone',
        deactivated: true,
      }),
    expected: {
      facts: ['user.deactivated', 'user.profile_changed'],
      sessions: ['B1'],
      holderOfBobsAddress: 'bob',
    },
  },
  'a reactivation': {
    seed: async (collections) => {
      await seedAccount(collections, 'alice', {
        deactivated: true,
        erased: true,
        sessions: { epoch: 3, except: null },
      });
    },
    run: (service) =>
      service.client(AccountService).putUser({
        userId: idOf('alice'),
        present: { paths: ['password', 'deactivated'] },
        password: NEW_PASSWORD,
        deactivated: false,
      }),
    expected: { facts: ['user.reactivated'], sessions: [] },
  },
  'an address that moves': {
    seed: seedAliceAndBob,
    run: (service) =>
      service.client(AccountService).putUser({
        userId: idOf('alice'),
        present: { paths: ['threepids'] },
        threepids: [{ medium: 'email', address: 'Bob@example.org' }],
      }),
    expected: { facts: [], sessions: ['A1', 'A2', 'B1'], holderOfBobsAddress: 'alice' },
  },
  'a logout everywhere': {
    seed: seedAliceAndBob,
    run: (service) => service.client(SessionService, { token: 'a1' }).logoutAll({}),
    expected: { facts: [], sessions: ['B1'], holderOfBobsAddress: 'bob' },
  },
  'the creation of an account with an address of another': {
    seed: seedAliceAndBob,
    run: (service) =>
      service.client(AccountService).putUser({
        userId: idOf('carol'),
        present: { paths: ['password', 'threepids'] },
        password: NEW_PASSWORD,
        threepids: [{ medium: 'email', address: 'bob@example.org' }],
      }),
    expected: { facts: ['user.created'], sessions: ['A1', 'A2', 'B1'], holderOfBobsAddress: 'carol' },
  },
};

const LOGOUT: Operation = {
  seed: seedAliceAndBob,
  run: (service) => service.client(SessionService, { token: 'a1' }).logout({}),
  expected: { facts: [], sessions: ['A2', 'B1'], holderOfBobsAddress: 'bob' },
};

/**
 * Operations that continue after a commit, or make none, so a crash may interrupt them. Repeated, they end in the
 * same state as without a failure.
 */
const STEPS: Readonly<Record<string, Operation>> = {
  'a registration with the secret': {
    seed: seedAliceAndBob,
    async run(service) {
      const client = service.client(RegistrationService, 'anonymous');
      const { nonce } = await client.getNonce({});
      const mac = registrationMac(SECRET, { nonce, username: 'carol', password: NEW_PASSWORD });
      return orLogin(
        service,
        client.registerWithSecret({ nonce, username: 'carol', password: NEW_PASSWORD, mac, deviceId: 'C' }),
      );
    },
    expected: { facts: ['user.created'], sessions: ['A1', 'A2', 'B1', 'C'], holderOfBobsAddress: 'bob' },
  },
  'an interactive registration': {
    seed: seedAliceAndBob,
    async run(service) {
      const client = service.client(RegistrationService, 'anonymous');
      const request = {
        username: 'carol',
        password: NEW_PASSWORD,
        deviceId: 'C',
        present: { paths: ['username', 'password', 'auth'] },
        auth: { type: 'm.login.dummy' },
      };
      return orLogin(service, client.register(request));
    },
    expected: { facts: ['user.created'], sessions: ['A1', 'A2', 'B1', 'C'], holderOfBobsAddress: 'bob' },
  },
  'a login on a device that exists': {
    seed: seedAliceAndBob,
    run: (service) => login(service, 'alice', OLD_PASSWORD, 'A1'),
    expected: { facts: [], sessions: ['A1', 'A2', 'B1'], holderOfBobsAddress: 'bob' },
  },
  'a login on a new device': {
    seed: seedAliceAndBob,
    run: (service) => login(service, 'alice', OLD_PASSWORD, 'A3'),
    expected: { facts: [], sessions: ['A1', 'A2', 'A3', 'B1'], holderOfBobsAddress: 'bob' },
  },
  'a logout': LOGOUT,
  'the deletion of devices': {
    seed: seedAliceAndBob,
    run: (service) =>
      service
        .client(DeviceService)
        .deleteDevices({ userId: idOf('alice'), devices: ['A1', 'A2', 'unknown'] }),
    expected: { facts: [], sessions: ['B1'], holderOfBobsAddress: 'bob' },
  },
};

const FAILURES: readonly { readonly title: string; readonly failure: Failure }[] = [
  { title: 'the process crashes before a write', failure: 'before' },
  { title: 'the process crashes during a write', failure: 'during' },
  { title: 'a write fails', failure: 'unavailable' },
];

describe.each(Object.entries(COMMITS))('%s', (name, operation) => {
  it.skipIf(!isDue(name, GUARDS)).each(FAILURES)(
    'has happened completely or not at all when $title',
    async ({ failure }) => {
      const { before, after, writes } = await runWithoutFailure(operation);
      const happened: boolean[] = [];
      for (let failAtWrite = 1; failAtWrite <= writes; failAtWrite++) {
        const isBefore = (outcome: Outcome) => isDeepStrictEqual(outcome, before);
        const { outcome, again } = await runUntilCrash(operation, {
          failAtWrite,
          failure,
          repeatIf: isBefore,
        });
        happened.push(!isBefore(outcome));
        expect.soft(again, `failure of write ${failAtWrite}`).toEqual(after);
      }
      expect(happened.at(0)).toBe(false);
      expect(happened.at(-1)).toBe(true);
      expect(happened).toEqual(happened.toSorted());
    },
  );
});

describe.each(Object.entries(STEPS))('%s', (name, operation) => {
  it.skipIf(!isDue(name, GUARDS)).each(FAILURES)('can be repeated when $title', async ({ failure }) => {
    const { after, writes } = await runWithoutFailure(operation);
    for (let failAtWrite = 1; failAtWrite <= writes; failAtWrite++) {
      const isBeforeTheEnd = (outcome: Outcome) => !isDeepStrictEqual(outcome, after);
      const { outcome, again } = await runUntilCrash(operation, {
        failAtWrite,
        failure,
        repeatIf: isBeforeTheEnd,
      });
      expect.soft(again, `failure of write ${failAtWrite}`).toEqual(after);
      // A logout removes the device first, so that it can be repeated with the token.
      if (operation !== LOGOUT)
        expect.soft(withoutDevice(outcome.state), `failure of write ${failAtWrite}`).toEqual([]);
    }
  });
});

it('applies the pending effects of several changes after crashes', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAliceAndBob(collections);
  // Started before anything is pending, which their first sweeps would apply.
  const start = async (crashAtWrite: number) => {
    const { arm, crashed, failing } = failingStore(store, crashAtWrite, 'before');
    const service = await startTestService({ store: failing, busStore: store });
    await service.service.whenIdle();
    return async (work: (service: TestService) => Promise<unknown>) => {
      arm();
      const done = work(service).catch(() => {});
      await Promise.race([crashed, done]);
      await service.close();
      await done;
    };
  };
  // Each crashes right after its commit.
  const [move, deactivate] = [await start(2), await start(2)];
  await move(COMMITS['an address that moves']?.run ?? fail);
  await deactivate((service) =>
    service.client(AccountService).deactivate({ userId: idOf('bob'), erase: false }),
  );
  expect((await stateOf(store)).accounts.map(({ pending }) => pending)).toEqual([1, 1, 0]);

  const fresh = await startTestService({ store });
  await fresh.service.whenIdle();
  expect(await stateOf(store)).toMatchObject({
    accounts: [
      { _id: idOf('alice'), pending: 0, threepids: [{ address: 'bob@example.org' }] },
      { _id: idOf('bob'), pending: 0, threepids: [] },
      { _id: idOf('root') },
    ],
    devices: [expect.stringContaining('A1'), expect.stringContaining('A2')],
    tokens: [expect.stringContaining('A1'), expect.stringContaining('A2')],
  });
  expect(fresh.facts.map(({ type, aggregate }) => `${type} ${aggregate}`)).toEqual([
    `user.deactivated ${idOf('bob')}`,
  ]);
  expect(fresh.faults).toEqual([]);
  await fresh.close();
  await store.close();
});

function fail(): never {
  throw new Error('There is no such operation');
}

async function seedAliceAndBob(collections: WritableCollections): Promise<void> {
  await seedAccount(collections, 'root', { admin: true });
  await seedAccount(collections, 'alice', {
    password_hash: await oldHash,
    admin: true,
    threepids: [heldEmail('alice@example.org')],
    logins: { a1: 'A1', a2: 'A2' },
  });
  await seedAccount(collections, 'bob', { threepids: [heldEmail('bob@example.org')], logins: { b1: 'B1' } });
}

function login(service: TestService, user: string, password: string, deviceId: string) {
  const identifier = { type: 'm.id.user', user };
  return service
    .client(SessionService, 'anonymous')
    .login({ type: 'm.login.password', identifier, password, deviceId });
}

/** Logs in when the registration is refused: the client's earlier attempt may have created the account. */
async function orLogin(service: TestService, registration: Promise<unknown>): Promise<void> {
  if ((await refusalOf(registration)) !== undefined) await login(service, 'carol', NEW_PASSWORD, 'C');
}

/** The result of an operation. */
interface Outcome {
  readonly state: State;
  /** Each fact once, however often it was delivered, in alphabetical order. */
  readonly facts: readonly string[];
}

/** The tokens whose device was removed. */
function withoutDevice({ devices, tokens }: State): readonly string[] {
  const key = (text: string) => text.split(' ').slice(0, 2).join(' ');
  const keys = new Set(devices.map(key));
  return tokens.filter((token) => !keys.has(key(token)));
}

function holdsBobsAddress({ threepids }: Record<string, unknown>): boolean {
  return JSON.stringify(threepids).includes('bob@example.org');
}

type Flawless = Awaited<ReturnType<typeof runOnce>>;

const flawless = new Map<Operation, Promise<Flawless>>();

/** Runs an operation without a failure, once for all kinds of failures. */
function runWithoutFailure(operation: Operation): Promise<Flawless> {
  const run = flawless.get(operation) ?? runOnce(operation);
  flawless.set(operation, run);
  return run;
}

async function runOnce(operation: Operation) {
  const store = await openSqliteStore({ path: ':memory:' });
  await operation.seed(await writableCollections(store));
  const before: Outcome = { state: await stateOf(store), facts: [] };
  const { arm, failing, writes } = failingStore(store, Number.POSITIVE_INFINITY, 'before');
  const service = await startTestService({ store: failing, busStore: store });
  arm();
  await operation.run(service);
  await service.service.whenIdle();
  const after: Outcome = { state: await stateOf(store), facts: distinct(service.facts) };
  expect({
    facts: after.facts.map((fact) => fact.split(' ')[0]),
    sessions: after.state.tokens.map((token) => token.split(' ')[1]).sort(),
    holders: after.state.accounts.filter(holdsBobsAddress).map(({ _id }) => _id),
  }).toEqual({
    facts: operation.expected.facts,
    sessions: operation.expected.sessions,
    holders: operation.expected.holderOfBobsAddress ? [idOf(operation.expected.holderOfBobsAddress)] : [],
  });
  await service.close();
  await store.close();
  return { before, after, writes: writes() };
}

/**
 * Runs an operation until its process crashes, then starts another process on the same store, and repeats the
 * operation there if `repeatIf` holds for the outcome.
 */
async function runUntilCrash(
  operation: Operation,
  options: {
    readonly failAtWrite: number;
    readonly failure: Failure;
    readonly repeatIf: (outcome: Outcome) => boolean;
  },
): Promise<{ readonly outcome: Outcome; readonly again: Outcome }> {
  const store = await openSqliteStore({ path: ':memory:' });
  await operation.seed(await writableCollections(store));
  const { arm, crashed, failing } = failingStore(store, options.failAtWrite, options.failure);
  const crashing = await startTestService({ store: failing, busStore: store });
  arm();
  const work = operation.run(crashing).catch(() => {});
  const end = work.then(() => crashing.service.whenIdle()).catch(() => {});
  await Promise.race([crashed, end]);

  const fresh = await startTestService({ store });
  const finish = async (): Promise<Outcome> => {
    await fresh.service.whenIdle();
    return { state: await stateOf(store), facts: distinct([...crashing.facts, ...fresh.facts]) };
  };
  const outcome = await finish();
  let again = outcome;
  if (options.repeatIf(outcome)) {
    await operation.run(fresh);
    again = await finish();
  }
  expect(fresh.faults).toEqual([]);
  await crashing.close();
  await fresh.close();
  await end;
  await store.close();
  return { outcome, again };
}

/** The facts without repetitions, which must have the same id. */
function distinct(facts: readonly SeenFact[]): readonly string[] {
  const ids = new Map<string, string>();
  for (const { id, type, aggregate, sequence } of facts) {
    const name = `${type} of ${aggregate} at ${sequence}`;
    expect(ids.get(name) ?? id, `the id of ${name}`).toBe(id);
    ids.set(name, id);
  }
  return [...ids.keys()].sort();
}
