import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../core/components/passwords.ts';
import { importedPassword, isArgon2 } from './password-hash.ts';

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 2 };

it('an imported password hash is one of this server, or another Argon2 hash', async () => {
  expect(isArgon2(await (await createPasswords()).hash('wonderland', 'import'))).toBe(true);
  // Argon2d, Argon2i, Argon2id.
  for (const algorithm of [0, 1, 2]) {
    expect(isArgon2(await hash('wonderland', { ...CHEAP, algorithm }))).toBe(true);
  }
});

describe('is not', () => {
  const costs = (text: string) => `$argon2id$v=19$${text}$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA`;

  it('accepts its example', () => {
    expect(isArgon2(costs('m=64,t=1,p=1'))).toBe(true);
  });

  it.each([
    '',
    'wonderland',
    '$2b$12$abcdefghijklmnopqrstuuFUOrBpz0hLpuqUuMPUMH.yLJpN1Y3qi',
    `${costs('m=64,t=1,p=1')}\n`,
    costs('m=64,t=1'),
    costs('m=64,t=0,p=1'),
    costs('m=8,t=1,p=2'),
    costs('m=4194304,t=1,p=1'),
    costs('m=64,t=5000,p=1'),
    '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$',
    '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$not base64 at all!',
  ])('%j', (text) => {
    expect(isArgon2(text)).toBe(false);
  });
});

describe('an imported password', () => {
  const BCRYPT = '$2b$12$abcdefghijklmnopqrstuuFUOrBpz0hLpuqUuMPUMH.yLJpN1Y3qi';
  const peppers = new Set(['old']);

  it.each([
    [{ scheme: 'bcrypt', hash: BCRYPT }, BCRYPT],
    [{ scheme: 'bcrypt', hash: BCRYPT.replace('2b', '2y') }, BCRYPT.replace('2b', '2y')],
    [{ scheme: 'bcrypt', hash: BCRYPT, pepper: 'old' }, `{pepper=old}${BCRYPT}`],
  ])('%j is stored', (password, stored) => {
    expect(importedPassword(password, peppers)).toEqual({ stored });
  });

  it.each([
    [{ scheme: 'scrypt', hash: BCRYPT }, 'password.scheme must be one of argon2, bcrypt'],
    [{ scheme: '', hash: BCRYPT }, 'password.scheme must be one of argon2, bcrypt'],
    [{ scheme: 'argon2', hash: BCRYPT }, 'password.hash is not an Argon2 hash'],
    [{ scheme: 'argon2', hash: BCRYPT, pepper: 'old' }, 'password.pepper must be absent'],
    [{ scheme: 'bcrypt', hash: 'wonderland' }, 'password.hash is not a bcrypt hash'],
    [{ scheme: 'bcrypt', hash: `{pepper=old}${BCRYPT}` }, 'password.hash is not a bcrypt hash'],
    [{ scheme: 'bcrypt', hash: `${BCRYPT}\n` }, 'password.hash is not a bcrypt hash'],
    [{ scheme: 'bcrypt', hash: BCRYPT.replace('$12$', '$31$') }, 'with a cost of 4 to 15'],
    [{ scheme: 'bcrypt', hash: BCRYPT.replace('$12$', '$03$') }, 'with a cost of 4 to 15'],
    [{ scheme: 'bcrypt', hash: BCRYPT, pepper: 'new' }, "passwords.peppers of the settings has no 'new'"],
    [{ scheme: 'bcrypt', hash: BCRYPT, pepper: '' }, 'password.hash is not a bcrypt hash'],
  ])('%j is refused', (password, problem) => {
    expect(importedPassword(password, peppers)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
