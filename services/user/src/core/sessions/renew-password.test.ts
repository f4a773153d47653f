import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash as hashBcrypt } from '@node-rs/bcrypt';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ImportService } from '@steward/proto/steward/user/v1/import_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportedUser } from '../../export/exported-user.ts';
import { idOf, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { watchedStore } from '../../fixtures/watched-store.ts';

const COST = 4;
const PEPPER = 'the pepper';
const PASSWORD = 'cafe\u0301';
const ALICE = idOf('alice');

let store: Store;
let folder: string;
let service: TestService;

const config = () => ({
  passwords: { peppers: [{ name: 'old', file: join(folder, 'pepper') }] },
  rate_limits: { enabled: false },
});
const start = (on: Store = store) => startTestService({ store: on, busStore: store, config: config() });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steward-pepper-'));
  writeFileSync(join(folder, 'pepper'), `${PEPPER}\n`);
  store = await openSqliteStore({ path: ':memory:' });
  service = await start();
  const hash = await hashBcrypt(Buffer.from(PASSWORD.normalize('NFKC') + PEPPER), COST);
  const users = [{ userId: ALICE, createdTs: 1n, password: { scheme: 'bcrypt', hash, pepper: 'old' } }];
  expect(await service.client(ImportService).importUsers({ users })).toMatchObject({ loaded: 1 });
});

afterEach(async () => {
  await service.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const login = (at: TestService, password = PASSWORD) =>
  at.client(SessionService, 'anonymous').login({ type: 'm.login.password', user: 'alice', password });

async function stored() {
  const { accounts } = await writableCollections(store);
  const account = await accounts.findOne({ _id: ALICE });
  if (!account) throw new Error('There is no account');
  return account;
}

it('an imported bcrypt hash is replaced at the first login, and not by a wrong password', async () => {
  const before = await stored();
  expect(exportedUser(before, () => true)).toMatchObject({
    password: { scheme: 'bcrypt', hash: expect.stringMatching(/^\$2b\$04\$/), pepper: 'old' },
  });
  expect(await refusalOf(login(service, 'wrong'))).toBe('M_FORBIDDEN');
  expect((await stored()).version).toBe(before.version);
  await login(service);
  const after = await stored();
  expect(after).toMatchObject({
    password_hash: expect.stringMatching(/^\$argon2id\$/),
    password_scheme: null,
    sessions: before.sessions,
  });
  expect(exportedUser(after, () => true)).toMatchObject({ password_hash: after.password_hash });
  await login(service, PASSWORD.normalize('NFC'));
  expect((await stored()).password_hash).toBe(after.password_hash);
});

it('a password that is reset during the login remains', async () => {
  const reset = () =>
    service.client(AccountService).resetPassword({ userId: ALICE, newPassword: 'another password' });
  let isArmed = false;
  const watched = watchedStore(store, async ({ collection, write }) => {
    if (!write || !isArmed || collection !== 'user.accounts') return;
    isArmed = false;
    await reset();
  });
  const other = await start(watched);
  isArmed = true;
  await login(other).catch(() => {});
  expect(isArmed).toBe(false);
  await other.close();
  expect(await refusalOf(login(service))).toBe('M_FORBIDDEN');
  await login(service, 'another password');
});
