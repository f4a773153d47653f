import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { headers } from '@steward/rpc';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { TOTP } from 'otpauth';
import { expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../core/components/passwords.ts';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';

const PASSWORD = 'the password';
const STEP_MS = 30_000;
const CLIENT = { [headers.clientAddress]: '192.0.2.1', [headers.clientUserAgent]: 'browser' };
const hash = (await createPasswords()).hash(PASSWORD, 'test');

/** A store with administrators, and servers on it, one after the other, with the keys of some files. */
async function started() {
  const store = await openSqliteStore({ path: ':memory:' });
  const directory = await mkdtemp(join(tmpdir(), 'keys-'));
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  const collections = await writableCollections(store);
  for (const name of ['alice', 'bob'])
    await seedAccount(collections, name, { admin: true, password_hash: await hash, logins: { [name]: 'D' } });
  const clock = createFakeClock();
  return {
    clock,
    accounts: collections.accounts,
    stored: async (name: string) =>
      (await collections.accounts.findOne({ _id: `@${name}:test` }))?.second_factor?.secret ?? '',
    async newKey(text = `${randomBytes(32).toString('base64')}\n`) {
      const file = join(directory, randomBytes(4).toString('hex'));
      await writeFile(file, text);
      return file;
    },
    async withKeys<T>(files: readonly string[], use: (service: TestService) => Promise<T>): Promise<T> {
      const config = { sessions: { second_factor_key_files: files } };
      const service = await startTestService({ store, clock, config });
      try {
        return await use(service);
      } finally {
        await service.close();
      }
    },
    /** Enrols an account; returns what its app and its user then have. */
    async enrol(service: TestService, name: string) {
      const owner = service.client(SecondFactorService, { token: name });
      const { secret } = await owner.beginTotp({ password: PASSWORD });
      const { recoveryCodes } = await owner.confirmTotp({ totp: codeOf(secret) });
      return { secret, recoveryCodes };
    },
    /** Signs in with a code of the app that was not used; returns the errcode of a refusal. */
    signIn(
      service: TestService,
      user: string,
      proof: { totp?: string; secret?: string; recoveryCode?: string },
    ) {
      clock.advance(STEP_MS);
      const { secret, ...given } = proof;
      const totp = secret === undefined ? {} : { totp: codeOf(secret) };
      const { createAdminSession } = service.client(AdminSessionService, 'anonymous');
      return refusalOf(
        createAdminSession({ user, password: PASSWORD, ...given, ...totp }, { headers: CLIENT }),
      );
    },
  };

  function codeOf(secret: string) {
    return new TOTP({ secret }).generate({ timestamp: clock.now() });
  }
}

it('a secret is encrypted in the store where a key is configured, also while its enrolment is not complete', async () => {
  const { withKeys, newKey, enrol, stored, signIn } = await started();
  await withKeys([await newKey()], async (service) => {
    const owner = service.client(SecondFactorService, { token: 'bob' });
    const begun = await owner.beginTotp({ password: PASSWORD });
    expect(await stored('bob')).not.toContain(begun.secret);
    const { secret } = await enrol(service, 'alice');
    expect(await stored('alice')).toMatch(/^v1\.[\w-]{11}\.[\w-]+$/);
    expect(await signIn(service, 'alice', { secret })).toBeUndefined();
  });
});

it('a secret from before the keys, or from an earlier key, works and is encrypted with the first key at its next use', async () => {
  const { withKeys, newKey, enrol, stored, signIn } = await started();
  const [former, present] = [await newKey(), await newKey()];
  const { secret, recoveryCodes } = await withKeys([], (service) => enrol(service, 'alice'));
  expect(await stored('alice')).toBe(secret);
  await withKeys([former], async (service) => {
    expect(await signIn(service, 'alice', { totp: '000000' })).toBe('M_FORBIDDEN');
    expect(await signIn(service, 'alice', { secret })).toBeUndefined();
  });
  const first = await stored('alice');
  expect(first).not.toContain(secret);
  await withKeys([present, former], async (service) => {
    expect(await signIn(service, 'alice', { recoveryCode: recoveryCodes[0] ?? '' })).toBeUndefined();
  });
  expect((await stored('alice')).split('.')[1]).not.toBe(first.split('.')[1]);
  await withKeys([present], async (service) => {
    expect(await signIn(service, 'alice', { secret })).toBeUndefined();
  });
});

it('without its key a secret is kept, no code is counted as wrong, and recovery codes work', async () => {
  const { withKeys, newKey, enrol, stored, accounts, signIn } = await started();
  const key = await newKey();
  const { secret, recoveryCodes } = await withKeys([key], (service) => enrol(service, 'alice'));
  const before = await stored('alice');
  await withKeys([await newKey()], async (service) => {
    expect(await signIn(service, 'alice', { secret })).toBe('M_FORBIDDEN');
    expect(await signIn(service, 'alice', { recoveryCode: recoveryCodes[0] ?? '' })).toBeUndefined();
    expect(JSON.stringify(service.faults)).toContain('decrypted');
    expect(JSON.stringify(service.faults)).not.toContain(secret);
  });
  expect(await stored('alice')).toBe(before);
  expect((await accounts.findOne({ _id: '@alice:test' }))?.second_factor?.failures).toBe(0);
  await withKeys([key], async (service) => {
    expect(await signIn(service, 'alice', { secret })).toBeUndefined();
  });
});

it('the encrypted secret of one account is void in the document of another', async () => {
  const { withKeys, newKey, enrol, accounts, signIn } = await started();
  await withKeys([await newKey()], async (service) => {
    const { secret } = await enrol(service, 'alice');
    const { second_factor = null } = (await accounts.findOne({ _id: '@alice:test' })) ?? {};
    await accounts.updateOne({ _id: '@bob:test' }, { $set: { second_factor } });
    expect(await signIn(service, 'bob', { secret })).toBe('M_FORBIDDEN');
    expect(await signIn(service, 'alice', { secret })).toBeUndefined();
  });
});

it('a file that is not 32 bytes in base64 prevents the start', async () => {
  const { withKeys, newKey } = await started();
  for (const text of ['', 'a passphrase', randomBytes(16).toString('base64')])
    await expect(withKeys([await newKey(text)], async () => {})).rejects.toThrow('second_factor_key_files');
});
