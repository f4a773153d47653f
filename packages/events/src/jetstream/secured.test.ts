import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { systemClock, systemRandom } from '@steward/kernel';
import {
  createAuthority,
  type Program,
  requireTool,
  startNatsServer,
  type TestAuthority,
} from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BusRefused } from '../errors.ts';
import type { Broker } from './broker.ts';
import { createJetStreamBus } from './bus.ts';
import { openStreamCopy } from './stream-copy.ts';

const natsServer = requireTool('nats_server');
const seedOf = (pair: ReturnType<typeof nkeys.createUser>) => Buffer.from(pair.getSeed()).toString();

describe.skipIf(natsServer.command === undefined)(`The bus over TLS, on ${natsServer.title}`, () => {
  const nkey = nkeys.createUser();
  let authority: TestAuthority;
  let server: Program;
  let files: Pick<Broker, 'caFile' | 'certificateFile' | 'keyFile'>;
  let configuration: (password: string) => string;
  let password: string;

  beforeAll(async () => {
    authority = await createAuthority();
    const of = await authority.issue(['localhost', '127.0.0.1']);
    const client = await authority.issue(['steward']);
    files = { caFile: authority.file, certificateFile: client.certificate, keyFile: client.key };
    configuration = (secret) => `
      tls { cert_file: "${of.certificate}", key_file: "${of.key}", ca_file: "${authority.file}", verify: true }
      authorization { users: [{ user: steward, password: "${secret}" }, { nkey: ${nkey.getPublicKey()} }] }`;
    server = await startNatsServer(natsServer.command ?? '', configuration('first'));
    password = join(dirname(authority.file), 'password');
    writeFileSync(password, 'first\n');
  });
  afterAll(() => server.stop());

  const at = (host: string, more: Partial<Broker>): Broker => ({
    servers: `nats://${host}:${server.port}`,
    ...files,
    ...more,
  });
  const open = async (broker: Broker, report = (_: string) => {}) => {
    const bus = await createJetStreamBus({ broker, report, clock: systemClock, random: systemRandom });
    onTestFinished(() => bus.close());
    return bus;
  };

  it('works with a user, its password and a client certificate, also at an address', async () => {
    const access = { user: 'steward', passwordFile: password };
    await expect((await open(at('127.0.0.1', access))).deadLetters.list({ limit: 1 })).resolves.toEqual([]);
    const copy = await openStreamCopy({ broker: at('localhost', access), namespace: 'steward' });
    expect(await copy.isEmpty()).toBe(true);
    await copy.close();
  });

  it('works with the seed of an nkey', async () => {
    const nkeyFile = join(dirname(authority.file), 'nkey');
    writeFileSync(nkeyFile, `${seedOf(nkey)}\n`);
    await expect((await open(at('localhost', { nkeyFile }))).deadLetters.list({ limit: 1 })).resolves.toEqual(
      [],
    );
  });

  it('reads the password again when it connects again', async () => {
    const lines: string[] = [];
    const bus = await open(at('localhost', { user: 'steward', passwordFile: password }), (line) =>
      lines.push(line),
    );
    writeFileSync(password, 'second');
    // The server closes the connections of users that have changed.
    server.configure(configuration('second'));
    await expect.poll(() => lines).toContain('The broker is away');
    await expect.poll(() => bus.deadLetters.list({ limit: 1 }).catch(() => undefined)).toEqual([]);
  });

  it.each([
    ['an unknown authority', {}, 'unable to verify the first certificate'],
    ['another password', { user: 'steward', passwordFile: '/dev/null' }, 'Authorization Violation'],
  ])('a bus over TLS is refused at once, in one line without secrets: %s', async (name, more, reason) => {
    const other = name === 'an unknown authority' ? (await createAuthority()).file : authority.file;
    const broker = at('localhost', { user: 'steward', passwordFile: password, ...more, caFile: other });
    const refused = await open(broker).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BusRefused);
    expect((refused as Error).message).toMatch(/^The broker at localhost:\d+ [^\n]+$/);
    expect((refused as Error).message).toMatch(reason);
    await expect(openStreamCopy({ broker, namespace: 'steward' })).rejects.toThrow(BusRefused);
  });

  it.each([
    ['another host', 'localhost', ['elsewhere.example'], 1, /does not match certificate's altnames/],
    ['another host, at an address', '127.0.0.1', ['localhost'], 1, /does not match certificate's altnames/],
    ['an expired certificate', 'localhost', ['localhost'], -1, 'certificate has expired'],
  ])('a bus over TLS is refused at once: %s', async (_, host, hosts, days, reason) => {
    const { certificate, key } = await authority.issue(hosts, days);
    const other = await startNatsServer(
      natsServer.command ?? '',
      `tls { cert_file: "${certificate}", key_file: "${key}" }`,
    );
    onTestFinished(() => other.stop());
    const broker = { servers: `tls://${host}:${other.port}`, caFile: authority.file };
    await expect(open(broker)).rejects.toThrow(reason);
  });
});
