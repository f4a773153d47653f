import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { openStreamCopy } from '@steward/events';
import {
  createAuthority,
  type HttpRequest,
  path,
  requireEngine,
  requireTool,
  sendHttp,
  startNatsServer,
  withLongTimeouts,
} from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Command, type RecordingProxy, startRecordingProxy } from './fixtures/recording-proxy.ts';
import { registerAdmin } from './fixtures/register-admin.ts';
import { newSandbox } from './fixtures/sandbox.ts';
import { SERVICES, startTopology } from './start-topology.ts';

const TIMEOUT_MS = 300_000;
const MONGO_PORT = 27_017;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');
const natsServer = requireTool('nats_server');
const missing = mongo.url === undefined || nats.url === undefined || natsServer.command === undefined;

type Privileges = Readonly<Record<string, readonly string[]>>;

const deployed = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url)), 'utf8');
const roles: Readonly<Record<string, Privileges>> = JSON.parse(deployed('mongo/roles.json'));
/** The namespace of `deploy/nats/permissions.conf`. */
const NAMESPACE = 'steward';

/** Every account has its name as its password. */
const passwords = [...SERVICES, 'operator', 'reader']
  .map((name) => `${name.toUpperCase()}_PASSWORD: "${name}"`)
  .join('\n');

/** `deploy/nats/nats.conf` with what it includes, with TLS, and without a port of its own for probes. */
function natsConfiguration({
  certificate,
  key,
}: {
  readonly certificate: string;
  readonly key: string;
}): string {
  const included = (file: string) => (file === 'passwords.conf' ? passwords : deployed(`nats/${file}`));
  const configuration = deployed('nats/nats.conf')
    // The account of a program outside of the server, which is an example.
    .replace('# { user: steward-reader', '{ user: steward-reader')
    .replace('# include "reader.conf"', 'include "reader.conf"')
    .replaceAll(/^include "(.*)"$/gm, (_, file: string) => included(file))
    .replaceAll(/^(?:http| {2}store_dir): .*$/gm, '');
  return `${configuration}\ntls { cert_file: "${certificate}", key_file: "${key}" }\n`;
}

/** The actions that a command needs on its collection; none for those that every user may send. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  hello: [],
  ping: [],
  endSessions: [],
  killCursors: [],
  find: ['find'],
  getMore: ['find'],
  aggregate: ['find'],
  count: ['find'],
  insert: ['insert'],
  update: ['update', 'insert'],
  delete: ['remove'],
  findAndModify: ['find', 'update', 'insert', 'remove'],
  createIndexes: ['createIndex', 'createCollection'],
  listIndexes: ['listIndexes'],
};

/** What a command needs and a role does not grant, one line each. */
function refusedTo(privileges: Privileges, command: Command): string[] {
  const [name = '', target] = Object.entries(command)[0] ?? [];
  const needs = NEEDS[name];
  if (needs === undefined) return [`the command ${name} is unknown`];
  const collection = String(name === 'getMore' ? command.collection : target);
  const stages =
    JSON.stringify(command.pipeline ?? []).match(/"\$(?:lookup|unionWith|out|merge|graphLookup)"/g) ?? [];
  return [
    ...stages.map((stage) => `${name} ${collection} with ${stage}`),
    ...needs
      .filter((action) => !privileges[collection]?.includes(action))
      .map((action) => `${name} ${collection} needs ${action}`),
  ];
}

describe.skipIf(natsServer.command === undefined)(`as delivered, on ${natsServer.title}`, () => {
  it('the configuration of the broker is valid without the example of a further account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steward-nats-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const file of ['nats.conf', 'permissions.conf'])
      await writeFile(join(folder, file), deployed(`nats/${file}`));
    const own = [...SERVICES, 'operator'].map((name) => `${name.toUpperCase()}_PASSWORD: "${name}"\n`);
    await writeFile(join(folder, 'passwords.conf'), own.join(''));
    const { stderr } = await promisify(execFile)(natsServer.command ?? '', [
      '-t',
      '-c',
      join(folder, 'nats.conf'),
    ]);
    expect(stderr).toContain('is valid');
  });
});

describe.skipIf(missing)(`with accounts for each service, on ${natsServer.title} and ${mongo.title}`, () => {
  it('every service does its work, and none may use what is of another one', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const authority = await createAuthority();
    const broker = await startNatsServer(
      natsServer.command ?? '',
      natsConfiguration(await authority.issue(['localhost'])),
    );
    onTestFinished(() => broker.stop());
    const servers = `tls://localhost:${broker.port}`;
    const sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
    onTestFinished(() => sandbox.drop());
    const recorded = new Map<string, RecordingProxy>();
    const own: Record<string, Record<string, string>> = {};
    for (const service of SERVICES) {
      const proxy = await startRecordingProxy(sandbox.store, MONGO_PORT);
      onTestFinished(() => proxy.close());
      recorded.set(service, proxy);
      own[service] = {
        STEWARD_STORE: proxy.url,
        STEWARD_NATS_URL: servers.replace('//', `//steward-${service}:${service}@`),
        STEWARD_NATS_CA_FILE: authority.file,
        ...(service === 'media' ? { STEWARD_MEDIA_STORE: 'gridfs' } : {}),
      };
    }
    const settings = sandbox.settings();
    const overrides = JSON.parse(settings.STEWARD_CONFIG_OVERRIDES ?? '{}');
    const topology = await startTopology({
      env: {
        ...settings,
        STEWARD_STORE: undefined,
        STEWARD_NATS_URL: undefined,
        STEWARD_LOG_LEVEL: 'silent',
        STEWARD_CONFIG_OVERRIDES: JSON.stringify({ ...overrides, bus: { namespace: NAMESPACE } }),
      },
      own,
    });
    onTestFinished(() => topology.close());
    const token = await tell(topology.url);

    const asUser = async (service: string): Promise<NatsConnection> => {
      const tls = { caFile: authority.file };
      const account = { user: `steward-${service}`, pass: service };
      const inboxPrefix = `_INBOX.steward-${service}`;
      const connection = await connect({ servers: `localhost:${broker.port}`, tls, inboxPrefix, ...account });
      onTestFinished(() => connection.close());
      return connection;
    };
    const copying = await asUser('operator');
    const operator = await jetstreamManager(copying);
    const deadLetters = async () => (await operator.streams.info('STEWARD_DEAD_LETTERS')).state.messages;
    expect(await deadLetters()).toBe(0);
    const fact = await operator.direct.getMessage('STEWARD', { next_by_subj: 'steward.audit.recorded' });
    const about = headers();
    for (const [key, value] of [
      ['Durable', 'moderation-audit'],
      ['Error', '{}'],
      ['Deliveries', '1'],
    ] as const)
      about.set(`Steward-${key}`, value);
    await jetstream(copying).publish('steward-dead.moderation-audit', fact?.data, { headers: about });
    const target = '/_service/admin/v1/dead_letters';
    const [letter] = (await sendHttp(topology.url, 'GET', target, { token })).body.dead_letters as {
      id: string;
    }[];
    const replay = `${target}${path`/${letter?.id ?? ''}`}/replay`;
    expect(await sendHttp(topology.url, 'POST', replay, { token, body: {} })).toMatchObject({ status: 200 });
    // A program outside of the server receives the events of the feed, and nothing else.
    const { events } = (await sendHttp(topology.url, 'GET', '/_service/admin/v1/events', { token })).body as {
      events: { readonly id: string }[];
    };
    expect(events.length).toBeGreaterThan(0);
    await operator.consumers.add('STEWARD_PUBLIC', {
      durable_name: 'steward-reader',
      ack_policy: AckPolicy.Explicit,
    });
    const reading = await asUser('reader');
    const { consumers } = await jetstreamManager(reading, { checkAPI: false });
    const info = await consumers.info('STEWARD_PUBLIC', 'steward-reader');
    const consumer = jetstream(reading).consumers.getConsumerFromInfo(info);
    for (const event of events) {
      const message = await consumer.next();
      expect(message?.json()).toEqual(event);
      await message?.ackAck();
    }
    const unhandled = async () => {
      let count = 0;
      for await (const { num_pending, num_ack_pending } of operator.consumers.list('STEWARD'))
        count += num_pending + num_ack_pending;
      return count;
    };
    await expect.poll(unhandled).toBe(0);
    expect(await deadLetters()).toBe(0);
    await topology.close();
    expect(broker.log()).not.toMatch(/violation/i);
    for (const service of SERVICES) {
      const commands = recorded.get(service)?.commands ?? [];
      expect(commands.length).toBeGreaterThan(0);
      expect(commands.flatMap((command) => refusedTo(roles[`steward-${service}`] ?? {}, command))).toEqual(
        [],
      );
    }

    const passwordFile = join(dirname(authority.file), 'operator');
    writeFileSync(passwordFile, 'operator');
    const access = { servers, caFile: authority.file, user: 'steward-operator', passwordFile };
    const copy = await openStreamCopy({ broker: access, namespace: NAMESPACE });
    onTestFinished(() => copy.close());
    const { last } = await copy.position();
    const facts = await Array.fromAsync(copy.facts(1, last));
    expect(await Array.fromAsync(copy.deadLetters())).toEqual([]);
    await copy.remove();
    await copy.store(Readable.from(facts));
    expect(await copy.isEmpty()).toBe(false);

    const media = await asUser('media');
    const api = await jetstreamManager(media, { checkAPI: false });
    await expect(media.request('steward.user.created', '{}')).rejects.toThrow('Permissions Violation');
    await expect(api.consumers.info('STEWARD', 'user-sessions')).rejects.toThrow('Permissions Violation');
    await expect(api.streams.purge('STEWARD')).rejects.toThrow('Permissions Violation');
    for (const subject of ['_INBOX.steward-user.>', 'steward.>']) {
      const refused = Promise.withResolvers<Error | null>();
      media.subscribe(subject, { callback: (error) => refused.resolve(error) });
      expect(String(await refused.promise)).toContain('Permissions Violation');
    }
    const readers = (await jetstreamManager(await asUser('reader'), { checkAPI: false })).consumers;
    await expect(readers.info('STEWARD', 'moderation-audit')).rejects.toThrow('Permissions Violation');
    await expect(readers.add('STEWARD_PUBLIC', { durable_name: 'b' })).rejects.toThrow(
      'Permissions Violation',
    );
    expect(refusedTo(roles['steward-media'] ?? {}, { find: 'user.accounts' })).toEqual([
      'find user.accounts needs find',
    ]);
  });
});

/** Uses every service, so that each publishes facts, handles those of others, and writes; returns an administrator's token. */
async function tell(url: string): Promise<string> {
  const token = await registerAdmin(url);
  const api = async (verb: string, target: string, request: HttpRequest = {}, expected = 200) => {
    const { status, body } = await sendHttp(url, verb, target, { token, ...request });
    expect({ target, status, body }).toMatchObject({ status: expected });
    return body;
  };
  const admin = '/_service/admin';
  const client = '/_proto/client/v3';
  const account = path`${admin}/v2/users/${'@alice:test'}`.replaceAll('%2F', '/');
  await api('PUT', account, { body: { password: 'wonderland' } }, 201);
  const login = {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'alice' },
    password: 'wonderland',
  };
  const { access_token } = await api('POST', `${client}/login`, { body: login });
  const asAlice = { token: String(access_token) };
  const { room_id } = await api('POST', `${client}/createRoom`, {
    ...asAlice,
    body: { preset: 'public_chat' },
  });
  const { content_uri } = await api('POST', '/_proto/media/v3/upload', { ...asAlice, body: { a: 'medium' } });
  await api(
    'GET',
    `${client.replace('client/v3', 'client/v1')}/media/download/${String(content_uri).slice(6)}`,
    asAlice,
  );
  await api('PUT', account, { body: { displayname: 'Alice', avatar_url: content_uri } });
  await api('POST', path`/_proto/client/v3/rooms/${String(room_id)}/report`, {
    ...asAlice,
    body: { reason: 'r' },
  });
  const members = async () =>
    (await api('GET', path`/_service/admin/v1/rooms/${String(room_id)}`)).joined_members;
  expect(await members()).toBe(1);
  await api('POST', path`/_service/admin/v1/deactivate/${'@alice:test'}`, { body: { erase: true } });
  await expect.poll(members).toBe(0);
  const { delete_id } = await api('DELETE', path`/_service/admin/v2/rooms/${String(room_id)}`, { body: {} });
  const task = async () => (await api('GET', path`/_service/admin/v1/tasks/${String(delete_id)}`)).state;
  await expect.poll(task).toBe('complete');
  const audited = async () => JSON.stringify(await api('GET', `${admin}/v1/audit_log`));
  await expect.poll(audited).toContain('deactivate');
  await api('GET', `${admin}/v1/statistics/users/media`);
  return token;
}
