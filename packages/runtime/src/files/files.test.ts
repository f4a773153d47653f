import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@steward/config';
import { systemClock } from '@steward/kernel';
import { digestOf } from '@steward/rpc';
import { createMetrics } from '@steward/telemetry';
import { createAuthority } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openClients } from './open-clients.ts';
import { openTls } from './open-tls.ts';

const INTERNAL = 'internal-credential';

/** A folder for the files of a test, and what was written to the log. */
function scene() {
  const folder = mkdtempSync(join(tmpdir(), 'steward-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log: string[] = [];
  const write = (level: string) => (details: object, message: string) =>
    void log.push(`${level}: ${message} ${JSON.stringify(details)}`);
  return {
    log,
    logger: { info: write('info'), warn: write('warn'), error: write('error') } as never,
    file(name: string, text?: string) {
      const path = join(folder, name);
      if (text !== undefined) {
        // In one step, because the files are read in the background, too.
        writeFileSync(`${path}.new`, text);
        renameSync(`${path}.new`, path);
      }
      return path;
    },
    remove: (name: string) => rmSync(join(folder, name)),
  };
}

const configOf = (services: object) =>
  loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ services }) } });

describe('the clients of the settings', () => {
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(20)) as [string, string, string];

  async function open(given: ReturnType<typeof scene>, ...files: readonly string[][]) {
    const clients = files.map((paths, n) => ({
      name: `client-${n}`,
      credential_files: paths.map((path) => given.file(path)),
      scopes: ['users:read'],
    }));
    const opened = await openClients(configOf({ clients }), INTERNAL, given.logger);
    onTestFinished(() => opened.close());
    return opened;
  }

  it('have the credentials of their files, also after these have changed', async () => {
    const given = scene();
    given.file('old', `${first}\n`);
    given.file('new', second);
    const clients = await open(given, ['old', 'new']);
    const valid = () =>
      [first, second, third].map((credential) =>
        clients
          .credentials()
          .some(({ client, digest }) => client.name === 'client-0' && digest.equals(digestOf(credential))),
      );
    expect(valid()).toEqual([true, true, false]);
    given.file('old', third);
    await clients.refresh();
    expect(valid()).toEqual([false, true, true]);

    given.remove('old');
    given.file('new', 'short');
    await clients.refresh();
    await clients.refresh();
    expect(valid()).toEqual([false, true, true]);
    expect(given.log.filter((line) => line.startsWith('error'))).toHaveLength(2);
    given.file('old', first);
    given.file('new', first);
    await clients.refresh();
    expect(valid()).toEqual([true, false, false]);
    expect(given.log.join('\n')).not.toMatch(/111|222|333/);
  });

  it.each([
    ['a file is missing', [['none']], /client-0\): .*none cannot be read \(ENOENT\)/],
    ['a credential is short', [['short']], /must be one line of 16 to 1,024/],
    ['a credential is not a text for a header', [['text']], /ASCII characters/],
    ['two clients have the same', [['first'], ['same']], /client-1\): .* is that of the client client-0/],
    ['a client has the internal one', [['internal']], /is that of the server's processes/],
  ])('the clients of the settings are refused when %s', async (_, files, message) => {
    const given = scene();
    given.file('short', `${'x'.repeat(15)}   \n`);
    given.file('text', 'ü'.repeat(20));
    given.file('first', first);
    given.file('same', `${first} `);
    given.file('internal', INTERNAL);
    await expect(open(given, ...files)).rejects.toThrow(message);
  });

  it('the clients of the settings are refused with an unknown scope', async () => {
    const given = scene();
    const path = given.file('first', first);
    const config = configOf({ clients: [{ name: 'a', credential_files: [path], scopes: ['users:reed'] }] });
    await expect(openClients(config, INTERNAL, given.logger)).rejects.toThrow('"users:reed" is not a scope');
  });
});

describe('the files for TLS', () => {
  async function open(
    given: ReturnType<typeof scene>,
    metrics = createMetrics({ program: 'x', release: '1' }),
  ) {
    const config = configOf({
      tls: {
        ca_file: given.file('ca'),
        certificate_file: given.file('certificate'),
        key_file: given.file('key'),
      },
    });
    const tls = await openTls({ config, clock: systemClock, logger: given.logger, meters: metrics });
    if (!tls) throw new Error('The settings name no files');
    onTestFinished(() => tls.close());
    return tls;
  }

  const place = async (given: ReturnType<typeof scene>, days: number) => {
    const authority = await createAuthority();
    const { certificate, key } = await authority.issue(['localhost'], days);
    copyFileSync(authority.file, given.file('ca'));
    copyFileSync(certificate, given.file('certificate'));
    copyFileSync(key, given.file('key'));
    return readFileSync(certificate, 'utf8');
  };

  it('the files for TLS are used again when they have changed, once all of them fit', async () => {
    const given = scene();
    const before = await place(given, 30);
    const metrics = createMetrics({ program: 'x', release: '1' });
    const tls = await open(given, metrics);
    const told: string[] = [];
    tls.onChange(({ certificate }) => told.push(certificate));
    expect(tls.current().certificate).toBe(before);
    const inDays = async () => {
      const [own] = await metrics.read('steward_certificate_expiry_timestamp_seconds');
      return Math.round(((own?.value ?? 0) - systemClock.now() / 1_000) / 86_400);
    };
    expect(await inDays()).toBe(30);

    const key = readFileSync(given.file('key'), 'utf8');
    const after = await place(given, 60);
    const newKey = readFileSync(given.file('key'), 'utf8');
    given.file('key', key);
    await tls.refresh();
    expect([tls.current().certificate, told]).toEqual([before, []]);
    expect(given.log.at(-1)).toMatch(/^error: .*cannot be used/);
    given.file('key', newKey);
    await tls.refresh();
    expect([tls.current().certificate, told]).toEqual([after, [after]]);
    expect(await inDays()).toBe(60);
  });

  it('the files for TLS are reported when they expire soon, and refused when they have expired', async () => {
    const given = scene();
    await place(given, 13);
    await open(given);
    await expect.poll(() => given.log).toContainEqual(expect.stringMatching(/^warn: .*expires soon.*"own"/));
    await place(given, -1);
    await expect(open(given)).rejects.toThrow(/services.tls: the certificate expired on \d/);
    given.file('certificate', 'x');
    await expect(open(given)).rejects.toThrow(/^services.tls: the files cannot be used together/);
  });
});
