import { hash } from '@node-rs/argon2';
import { hash as hashBcrypt } from '@node-rs/bcrypt';
import { toRefusal } from '@steward/errors';
import { beforeAll, expect, it } from 'vitest';
import { createPasswords, type Passwords } from './passwords.ts';

/** More hashes than run concurrently on any machine. */
const MANY = 20;

/** The most that run concurrently. */
const MAX_SLOTS = 3;

let passwords: Passwords;
let cheap: string;
beforeAll(async () => {
  passwords = await createPasswords();
  cheap = await hash('password', { memoryCost: 8, timeCost: 1, parallelism: 1 });
});

/** How much of some work has ended. */
function counted(work: readonly Promise<unknown>[]) {
  let ended = 0;
  for (const piece of work) void piece.then(() => ended++);
  return { ended: () => ended, all: Promise.all(work) };
}

it('verifies what it has hashed', async () => {
  const hashed = await passwords.hash('password', 'user');
  for (const verify of [passwords.verify, passwords.verifyLogin]) {
    expect(await verify(hashed, 'password', 'user')).toBe(true);
    expect(await verify(hashed, 'other', 'user')).toBe(false);
    expect(await verify(null, '', 'user')).toBe(false);
    expect(await verify('unknown kind', 'password', 'user')).toBe(false);
  }
});

it('compares passwords as they are written, however their characters are composed', async () => {
  const [composed, decomposed, ligature] = ['caf\u00e9 fi', 'cafe\u0301 fi', 'cafe\u0301 \ufb01'];
  for (const set of [composed, decomposed, ligature]) {
    const hashed = await passwords.hash(set, 'user');
    for (const given of [composed, decomposed, ligature]) {
      expect(await passwords.verify(hashed, given, 'user')).toBe(true);
      expect(await passwords.verifyLogin(hashed, given, 'user')).toBe(true);
    }
  }
  const earlier = await hash(decomposed, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  expect(await passwords.verify(earlier, decomposed, 'user')).toBe(true);
  expect(await passwords.verify(earlier, composed, 'user')).toBe(false);
  expect(await passwords.verify(null, decomposed, 'user')).toBe(false);
});

it('verifies bcrypt hashes of other servers: NFKC, the pepper, 72 bytes', async () => {
  const withPepper = await createPasswords(new Map([['old', Buffer.from('pepper')]]));
  const bcrypt = (text: string) => hashBcrypt(Buffer.from(text).subarray(0, 72), 4);
  const matches = async (stored: string, password: string) => {
    const results = [
      withPepper.verify(stored, password, 'user'),
      withPepper.verifyLogin(stored, password, 'a'),
    ];
    return (await Promise.all(results)).every(Boolean);
  };
  const plain = await bcrypt('caf\u00e9');
  for (const version of ['2a', '2b', '2y']) {
    const stored = plain.replace('$2b$', `$${version}$`);
    expect(await matches(stored, 'cafe\u0301')).toBe(true);
    expect(await matches(stored, 'cafe')).toBe(false);
  }
  const peppered = await bcrypt('passwordpepper');
  expect(await matches(`{pepper=old}${peppered}`, 'password')).toBe(true);
  expect(await matches(peppered, 'password')).toBe(false);
  expect(await matches(`{pepper=unknown}${await bcrypt('password')}`, 'password')).toBe(false);
  // The cut is between bytes, also within a character, and before the end of the pepper.
  const long = `${'a'.repeat(71)}\u20ac`;
  expect(
    await matches(`{pepper=old}${await bcrypt(`${long}pepper`)}`, `${'a'.repeat(71)}\u20ac and more`),
  ).toBe(true);
  expect(await matches(`{pepper=old}${await bcrypt(`${'b'.repeat(70)}pepper`)}`, `${'b'.repeat(70)}`)).toBe(
    true,
  );
  expect(await matches(`{pepper=old}${await bcrypt(`${'b'.repeat(70)}pepper`)}`, `${'b'.repeat(70)}pe`)).toBe(
    true,
  );
  expect(await matches(`{pepper=old}${await bcrypt(`${'b'.repeat(70)}pepper`)}`, `${'b'.repeat(70)}px`)).toBe(
    false,
  );
});

it('lets a login wait for the hashes in progress at most', async () => {
  const others = counted(Array.from({ length: MANY }, () => passwords.hash('password', 'user')));
  await passwords.verifyLogin(null, 'password', '192.0.2.1');
  expect(others.ended()).toBeLessThanOrEqual(2 * MAX_SLOTS);
  await others.all;
});

it('lets users, and addresses, take turns', async () => {
  const hashBy = (by: string): Promise<unknown> => passwords.hash('password', by);
  const loginBy = (by: string): Promise<unknown> => passwords.verifyLogin(null, 'password', by);
  for (const work of [hashBy, loginBy]) {
    const ofOne = counted(Array.from({ length: MANY }, () => work('a')));
    await work('b');
    expect(ofOne.ended()).toBeLessThanOrEqual(2 * MAX_SLOTS);
    await ofOne.all;
  }
});

it('refuses more than may wait of one user, and admits others', async () => {
  const attempts = Array.from({ length: 300 }, () => passwords.verify(cheap, 'password', 'a'));
  const other = passwords.verify(cheap, 'password', 'b');
  const results = await Promise.allSettled(attempts);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused.length).toBeGreaterThanOrEqual(300 - 250 - MAX_SLOTS);
  expect(toRefusal(refused[0])).toMatchObject({ status: 429, extra: { retry_after_ms: expect.any(Number) } });
  expect(await other).toBe(true);
});
