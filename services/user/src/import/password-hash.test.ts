import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../core/components/passwords.ts';
import { isPasswordHash } from './password-hash.ts';

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 2 };

it('is one of this server, or another Argon2 hash', async () => {
  expect(isPasswordHash(await (await createPasswords()).hash('wonderland', 'import'))).toBe(true);
  // Argon2d, Argon2i, Argon2id.
  for (const algorithm of [0, 1, 2]) {
    expect(isPasswordHash(await hash('wonderland', { ...CHEAP, algorithm }))).toBe(true);
  }
});

describe('is not', () => {
  const costs = (text: string) => `$argon2id$v=19$${text}$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA`;

  it('accepts its example', () => {
    expect(isPasswordHash(costs('m=64,t=1,p=1'))).toBe(true);
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
    expect(isPasswordHash(text)).toBe(false);
  });
});
