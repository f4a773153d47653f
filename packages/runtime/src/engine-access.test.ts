import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@steward/config';
import { createAuthority } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokerAccess, databaseAccess } from './engine-access.ts';

const STORE = { STEWARD_STORE: 'mongodb://db/steward' };
const NATS = { STEWARD_NATS_URL: 'nats://bus' };

describe('the files of the access to the engines', () => {
  let folder: string;
  let certificate: string;
  let key: string;
  let otherKey: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-access-'));
    const authority = await createAuthority();
    ({ certificate, key } = await authority.issue(['steward']));
    ({ key: otherKey } = await authority.issue(['other']));
    writeFileSync(join(folder, 'secret'), 'hush');
    writeFileSync(join(folder, 'empty'), '\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const accessOf = (env: Readonly<Record<string, string | undefined>>) => {
    const config = loadConfig({ env: { ...STORE, ...NATS, ...env } });
    return [databaseAccess(config), brokerAccess(config)];
  };

  it('the files of the access to the engines are passed on by their paths, because they are read at each connection', () => {
    const [passwordFile, caFile] = [join(folder, 'secret'), certificate];
    const env = {
      STEWARD_STORE_USER: 'steward-user',
      STEWARD_STORE_PASSWORD_FILE: passwordFile,
      STEWARD_NATS_CA_FILE: caFile,
      STEWARD_NATS_CERTIFICATE_FILE: certificate,
      STEWARD_NATS_KEY_FILE: key,
    };
    expect(accessOf(env)).toMatchObject([
      { url: STORE.STEWARD_STORE, user: 'steward-user', passwordFile },
      { servers: NATS.STEWARD_NATS_URL, caFile, certificateFile: certificate, keyFile: key },
    ]);
    expect(brokerAccess(loadConfig({ env: {} }))).toBeUndefined();
  });

  it.each([
    ['STEWARD_STORE_PASSWORD_FILE', 'none', /cannot be read \(ENOENT[^\n]*\)$/],
    ['STEWARD_STORE_PASSWORD_FILE', 'empty', /is empty$/],
    ['STEWARD_STORE_CA_FILE', 'secret', /contains no certificate$/],
    ['STEWARD_NATS_CREDENTIALS_FILE', 'secret', /contains no JWT and seed$/],
    ['STEWARD_NATS_NKEY_FILE', 'secret', /contains no seed of an nkey$/],
    ['STEWARD_NATS_CA_FILE', 'empty', /contains no certificate$/],
  ])(
    'are refused with the name of the setting, and without their content: %s, %s',
    (setting, file, problem) => {
      const path = join(folder, file);
      const user = setting.endsWith('PASSWORD_FILE') ? { STEWARD_STORE_USER: 'steward' } : {};
      expect(() => accessOf({ ...user, [setting]: path })).toThrow(problem);
      expect(() => accessOf({ ...user, [setting]: path })).toThrow(`${setting}: ${path} `);
      expect(() => accessOf({ ...user, [setting]: path })).not.toThrow('hush');
    },
  );

  it.each(['STORE', 'NATS'])(
    'the files of the access to the engines are refused when the key is not that of the certificate, for %s',
    (engine) => {
      const env = {
        [`STEWARD_${engine}_CERTIFICATE_FILE`]: certificate,
        [`STEWARD_${engine}_KEY_FILE`]: otherKey,
      };
      expect(() => accessOf(env)).toThrow(
        `STEWARD_${engine}_KEY_FILE: ${otherKey} is not the private key of ${certificate}`,
      );
    },
  );
});
