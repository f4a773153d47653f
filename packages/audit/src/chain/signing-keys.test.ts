import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSigningKeys } from './signing-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'signing-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const secret = file('secret', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
const open = file('open', publicKey.export({ type: 'spki', format: 'pem' }).toString());
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

it('knows its own key and the former ones', () => {
  const { keyId, publicKeys } = readSigningKeys(secret, []);
  expect(keyId).toMatch(/^[0-9a-f]{64}$/);
  expect([...publicKeys.keys()]).toEqual([keyId]);
  expect([...readSigningKeys(undefined, [open]).publicKeys.keys()]).toEqual([keyId]);
});

it.each([
  ['a missing file', join(folder, 'missing'), [], /^audit\.signing_key_file: \S+ cannot be read \(ENOENT\)$/],
  ['a public key', open, [], /^audit\.signing_key_file: \S+ does not contain a private Ed25519 key in PEM$/],
  ['other text', file('text', 'secret text'), [], /does not contain a private Ed25519 key in PEM$/],
  [
    'a key of another kind',
    file('rsa', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()),
    [],
    /does not contain a private Ed25519 key in PEM$/,
  ],
  [
    'a former key',
    secret,
    [file('former', 'x')],
    /^audit\.former_public_key_files: .* a public Ed25519 key in PEM$/,
  ],
])('refuses %s with one line that does not quote it', (_, signing, former, message) => {
  expect(() => readSigningKeys(signing, former)).toThrow(message);
});
