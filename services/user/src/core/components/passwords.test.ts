import { hash } from '@node-rs/argon2';
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
