import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Config, loadConfig } from '@steward/config';
import { randomId, systemClock, systemRandom } from '@steward/kernel';
import { openEmbeddedStore, STORE_FILE } from '@steward/runtime';
import { loadDocuments, openMongoStore, openSqliteSnapshot, type Store } from '@steward/store';
import { crashableStore } from '@steward/store/testing';
import { path, registrationMac, requireEngine, sendHttp, withLongTimeouts } from '@steward/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { onSite, runCommand, type Settings, type Site } from '../fixtures/processes.ts';
import { importRecords } from '../import/import-records.ts';
import type { Kind } from '../import/kind.ts';
import { KINDS } from '../import/kinds.ts';
import { checkedFiles } from '../import/manifest.ts';
import { openOn } from '../import/open-services.ts';
import { exportServer } from './export-server.ts';
import { openStored } from './open-stored.ts';

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client/v3';
const SECRET = 'secret';
const ALICE = '@alice:localhost';
const BOB = '@bob:localhost';

const OVERRIDES = {
  STEWARD_CONFIG_OVERRIDES: JSON.stringify({
    registration: { shared_secret: SECRET },
    sessions: { refresh_tokens: true },
  }),
};

/** The first call of a store at which an import crashes. */
const FIRST_CRASH = 15;

const mongo = requireEngine('mongo');

/** Makes one of everything that records describe, and some of what they leave out. */
async function makeData(url: string): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the answers is known.
  const call = async (verb: string, at: string, token?: string, body?: unknown): Promise<any> => {
    const reply = await sendHttp(url, verb, at, { ...(token ? { token } : {}), body });
    if (reply.status !== 200) throw new Error(`${verb} ${at}: ${reply.text}`);
    return reply.body;
  };
  const register = async (username: string, admin: boolean) => {
    const { nonce } = await call('GET', `${ADMIN}/v1/register`);
    const account = { nonce, username, password: 'wonderland', admin };
    const body = { ...account, mac: registrationMac(SECRET, account) };
    return (await call('POST', `${ADMIN}/v1/register`, undefined, body)).access_token;
  };
  const alice = await register('alice', true);
  const bob = await register('bob', false);
  const carol = await register('carol', false);
  await call('PUT', ADMIN + path`/v2/users/${BOB}`, alice, {
    displayname: 'Bob "the builder"\n',
    threepids: [{ medium: 'email', address: 'bob@example.org' }],
    external_ids: [{ auth_provider: 'oidc', external_id: 'b' }],
    user_type: 'bot',
  });
  await call('POST', `${ADMIN}/v1/roles`, alice, {
    name: 'on-call',
    description: '',
    scopes: ['tasks:read'],
  });
  await call('PUT', ADMIN + path`/v1/users/${BOB}/roles`, alice, { roles: ['support', 'on-call'] });
  const { room_id: room } = await call('POST', `${CLIENT}/createRoom`, bob, {
    preset: 'public_chat',
    name: 'Tea',
    topic: 'Leaves',
    room_alias_name: 'tea',
  });
  await call('PUT', CLIENT + path`/directory/room/${'#second:localhost'}`, bob, { room_id: room });
  await call('POST', CLIENT + path`/join/${room}`, alice, {});
  await call('POST', CLIENT + path`/join/${room}`, carol, {});
  const send = async (token: string, n: number) => {
    const at = CLIENT + path`/rooms/${room}/send/m.room.message/${String(n)}`;
    return (await call('PUT', at, token, { msgtype: 'm.text', body: `message ${n}` })).event_id;
  };
  const events = [await send(bob, 1), await send(bob, 2), await send(carol, 3)];
  await call('PUT', CLIENT + path`/rooms/${room}/redact/${events[1]}/1`, bob, {});
  await call('POST', CLIENT + path`/rooms/${room}/report/${events[2]}`, bob, { reason: 'Rude', score: -7 });
  for (const bytes of ['the same bytes', 'the same bytes', 'others']) {
    await sendHttp(url, 'POST', '/_proto/media/v3/upload?filename=tea.txt', {
      token: bob,
      rawBody: Buffer.from(bytes),
    });
  }
  const hash = 'ab'.repeat(32);
  await call('POST', `${ADMIN}/v1/media/hashes`, alice, { sha256: [hash], action: 'refuse', source: 'ours' });
  await call('PUT', CLIENT + path`/user/${BOB}/account_data/org.example.theme`, bob, { dark: true });
  await makeSessions(call, bob);
  await makeOrders(call, alice, { bob, room, event: events[2] });
  await call('POST', `${ADMIN}/v1/session`, bob, {});
  await call('POST', ADMIN + path`/v1/deactivate/${'@carol:localhost'}`, alice, {});
}

type Call = (verb: string, at: string, token?: string, body?: unknown) => Promise<{ [key: string]: string }>;

/** Keys, a backup, a filter, a pusher, tags, push rules, a session with a refresh token, and messages between devices. */
async function makeSessions(call: Call, bob: string): Promise<void> {
  const { device_id: device = '' } = await call('GET', `${CLIENT}/account/whoami`, bob);
  const keys = { [`curve25519:${device}`]: 'c', [`ed25519:${device}`]: 'e' };
  await call('POST', `${CLIENT}/keys/upload`, bob, {
    device_keys: { user_id: BOB, device_id: device, algorithms: [], keys, signatures: {} },
    one_time_keys: { 'signed_curve25519:A': { key: 'a' }, 'signed_curve25519:B': { key: 'b' } },
    fallback_keys: { 'signed_curve25519:F': { key: 'f', fallback: true } },
  });
  await call('POST', `${CLIENT}/keys/claim`, bob, {
    one_time_keys: { [BOB]: { [device]: 'signed_curve25519' } },
  });
  const { version = '' } = await call('POST', `${CLIENT}/room_keys/version`, bob, {
    algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2',
    auth_data: { public_key: 'p' },
  });
  const kept = { first_message_index: 0, forwarded_count: 0, is_verified: true, session_data: {} };
  await call('PUT', CLIENT + path`/room_keys/keys/${'!a:localhost'}/session?version=${version}`, bob, kept);
  await call('POST', CLIENT + path`/user/${BOB}/filter`, bob, { room: {} });
  await call('POST', `${CLIENT}/pushers/set`, bob, {
    ...{
      app_id: 'a',
      pushkey: 'k',
      kind: 'http',
      lang: 'en',
      app_display_name: 'A',
      device_display_name: 'D',
    },
    data: { url: 'https://push.example.org/_matrix/push/v1/notify' },
  });
  await call('PUT', CLIENT + path`/sendToDevice/m.test/${'1'}`, bob, {
    messages: { [BOB]: { [device]: { n: 1 } }, [ALICE]: { '*': { n: 2 } } },
  });
  await call('PUT', CLIENT + path`/pushrules/global/content/${'tea'}`, bob, { pattern: 'tea', actions: [] });
  await call('PUT', CLIENT + path`/user/${BOB}/rooms/${'!a:localhost'}/tags/${'u.tea'}`, bob, {});
  await call('POST', `${CLIENT}/login`, undefined, {
    ...{ type: 'm.login.password', identifier: { type: 'm.id.user', user: 'bob' }, password: 'wonderland' },
    refresh_token: true,
  });
}

/** What administrators decide about accounts, rooms and media, and further reports. */
async function makeOrders(
  call: Call,
  alice: string,
  { bob, room, event }: { readonly bob: string; readonly room: string; readonly event: string },
): Promise<void> {
  const of = (user: string, what: string) => `${ADMIN}${path`/v1/users/${user}`}/${what}`;
  await call('POST', of(BOB, 'override_ratelimit'), alice, { messages_per_second: 1, burst_count: 2 });
  await call('POST', `${ADMIN}/v1/registration_tokens/new`, alice, { token: 'welcome', uses_allowed: 3 });
  await call('PUT', ADMIN + path`/v1/rooms/${'!blocked:localhost'}/block`, alice, { block: true });
  await call('POST', CLIENT + path`/users/${'@carol:localhost'}/report`, bob, { reason: 'User' });
  await call('POST', CLIENT + path`/rooms/${room}/report`, bob, { reason: 'Room' });
  await call('POST', `${ADMIN}/v1/tokens`, alice, { name: 'ci', scopes: ['server:read'] });
  await call('PUT', ADMIN + path`/v1/suspend/${'@carol:localhost'}`, alice, { suspend: true });
  await call('POST', CLIENT + path`/rooms/${room}/receipt/m.read/${event}`, alice, {});
  await call('POST', CLIENT + path`/rooms/${room}/leave`, alice, {});
  await call('POST', CLIENT + path`/rooms/${room}/forget`, alice, {});
  await call('POST', CLIENT + path`/rooms/${room}/receipt/m.read/${event}`, bob, {});
  await call('GET', `${CLIENT}/sync`, bob);
}

/** The files of an export and their content. */
async function contentOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(directory.length), await readFile(file, 'utf8')]),
  );
  const { '/manifest.json': manifest = '{}', ...others } = Object.fromEntries(contents);
  // It alone has the moment.
  const { exported_ts: _, ...description } = JSON.parse(manifest);
  return { ...others, '/manifest.json': JSON.stringify(description) };
}

const linesOf = (content: Readonly<Record<string, string>>, name: string) =>
  (content[`/${name}.ndjson`] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/**
 * Imports an export into a store, with processes of which each crashes at a later call of the store than the one before, until one
 * completes it.
 */
async function importWithCrashes(store: Store, config: Config, folder: string): Promise<void> {
  // Crashed processes say what fails.
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  for (let call = FIRST_CRASH; ; call *= 4) {
    const crashable = crashableStore(store, { writesAlong: true });
    const services = await openOn(crashable.store, config);
    crashable.crashAt(call, 'during');
    const problems: string[] = [];
    const load = async () => {
      for (const file of await checkedFiles(folder, 'localhost', new Set(KINDS.keys()))) {
        const kind = KINDS.get(basename(file, '.ndjson'));
        await importRecords(createReadStream(file), kind?.(services, folder) as Kind, {
          strict: true,
          batchesInFlight: 1,
          onProblem: (_, problem) => problems.push(problem),
          onProgress: () => {},
        });
      }
    };
    const failed = await load().then(
      () => false,
      () => true,
    );
    await services.close().catch(() => {});
    if (crashable.hasCrashed) continue;
    expect({ failed, problems }).toEqual({ failed: false, problems: [] });
    return;
  }
}

async function fill({ start }: Site): Promise<void> {
  const server = await start(OVERRIDES);
  await makeData(server.url);
  server.kill('SIGTERM');
  await server.ended;
}

async function exported(
  data: string,
  to: string,
  args: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const settings: Settings = { STEWARD_DATA: data };
  const { code, stderr } = await runCommand('export', { args: ['--to', to, ...args], settings });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return contentOf(to);
}

/** Redacts a message and a state event of an export, by an event that is not a redaction, in the server that was exported. */
async function redactByAnother(data: string, folder: string): Promise<void> {
  const events = linesOf(await exported(data, join(folder, 'unredacted')), 'events');
  const by = events.find(({ type }) => type === 'm.room.member').event_id;
  const marked = events
    .filter(({ type, content }) => type === 'm.room.topic' || content.body === 'message 1')
    .map((event) => JSON.stringify({ ...event, stored: { ...event.stored, redacted_by: by } }));
  const file = join(folder, 'events.ndjson');
  await writeFile(file, marked.join('\n'));
  const loaded = await runCommand('import', { args: ['--strict', file], settings: { STEWARD_DATA: data } });
  expect(loaded.code, loaded.stderr).toBe(0);
  const redacted = linesOf(await exported(data, join(folder, 'redacted')), 'events');
  expect(redacted.filter(({ stored }) => stored.redacted_by === by)).toHaveLength(2);
}

it(
  'is the same again after it was imported into an empty server, also through crashes',
  { timeout: 120_000 },
  onSite(async (site) => {
    const beside = (name: string) => join(site.data, '..', name);
    await fill(site);
    await redactByAnother(site.data, join(site.data, '..'));
    const first = await exported(site.data, beside('first'));
    expect(linesOf(first, 'events').map(({ type }) => type)).toContain('m.room.redaction');
    for (const kind of [
      'roles',
      'users',
      'devices',
      'rooms',
      'members',
      'media',
      'media_hashes',
      'reports',
      ...['access_tokens', 'refresh_tokens', 'connections', 'sign_ins', 'pushers', 'registration_tokens'],
      ...[
        'automation_tokens',
        'one_time_keys',
        'key_backups',
        'key_backup_keys',
        'device_messages',
        'account_data',
      ],
      ...[
        'filters',
        'aliases',
        'room_blocks',
        'forgotten_rooms',
        'sync_positions',
        'user_reports',
        'room_reports',
      ],
      ...['report_numbers', 'receipts', 'receipt_positions', 'evidence', 'cases', 'inbox', 'user_counts'],
    ]) {
      expect(linesOf(first, kind), kind).not.toEqual([]);
    }
    expect(linesOf(first, 'users').find((user) => user.user_id === '@carol:localhost').suspended).toBe(true);

    expect(linesOf(first, 'users').find((user) => user.user_id === BOB).roles).toEqual([
      'on-call',
      'support',
    ]);

    const loaded = await runCommand('import', {
      args: ['--strict', beside('first')],
      settings: { STEWARD_DATA: beside('imported') },
    });
    expect(loaded.code, loaded.stderr).toBe(0);
    expect(await exported(beside('imported'), beside('second'))).toEqual(first);

    const config = loadConfig({ env: { STEWARD_DATA: beside('crashed') } });
    await mkdir(config.server.data);
    const store = await openEmbeddedStore(config, { loading: true });
    await importWithCrashes(store, config, beside('first'));
    await store.close();
    expect(await exported(beside('crashed'), beside('third'))).toEqual(first);
    // What is there is not overwritten.
    const again = await runCommand('export', {
      args: ['--to', beside('second')],
      settings: { STEWARD_DATA: site.data },
    });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  }),
);

it(
  'of one user has what is kept about that user, and nothing of others',
  { timeout: 60_000 },
  onSite(async (site) => {
    await fill(site);
    const content = await exported(site.data, join(site.data, '../bob'), ['--user', BOB]);
    expect(linesOf(content, 'users')).toMatchObject([
      { user_id: BOB, threepids: [{ address: 'bob@example.org' }] },
    ]);
    expect(linesOf(content, 'media')).toHaveLength(3);
    expect(linesOf(content, 'events').every(({ sender }) => sender === BOB)).toBe(true);
    expect(linesOf(content, 'members')).toHaveLength(1);
    expect(linesOf(content, 'reports')).toMatchObject([{ reason: 'Rude' }]);
    const others = linesOf(content, 'other');
    expect(others.map(({ collection }) => collection)).toEqual(
      expect.arrayContaining(['user.accounts', 'media.usage']),
    );
    for (const kind of ['account_data', 'connections', 'aliases', 'access_tokens', 'admin_sessions']) {
      expect(linesOf(content, kind), kind).not.toEqual([]);
      expect(JSON.stringify(linesOf(content, kind)), kind).not.toContain(ALICE);
    }
    expect(linesOf(content, 'device_messages')).toMatchObject([{ user_id: BOB, content: '{"n":1}' }]);
    expect(linesOf(content, 'receipts')).toMatchObject([{ user_id: BOB, type: 'm.read' }]);
    expect(linesOf(content, 'pushers')).toMatchObject([{ user_id: BOB, pushkey: 'k' }]);
    const data = linesOf(content, 'account_data').map(({ user_id, type }) => [user_id, type]);
    expect(data).toContainEqual([BOB, 'm.push_rules']);
    expect(JSON.stringify(others)).not.toMatch(/argon2|@alice|admin_sessions/);
    const unknown = await runCommand('export', {
      args: ['--to', join(site.data, '../unknown'), '--user', '@unknown:localhost'],
      settings: { STEWARD_DATA: site.data },
    });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no account @unknown:localhost'),
    });
  }),
);

it.skipIf(mongo.url === undefined)(
  `is the same from a database into which it was imported, through crashes: ${mongo.title}`,
  { timeout: 120_000 },
  onSite(async (site) => {
    const beside = (name: string) => join(site.data, '..', name);
    await fill(site);
    const expected = await exported(site.data, beside('embedded'));
    const url = new URL(withLongTimeouts(mongo.url ?? ''));
    url.pathname = `/steward_test_${randomId(systemRandom)}`;
    const store = await openMongoStore({ url: url.href });
    onTestFinished(async () => {
      await store.database.dropDatabase();
      await store.close();
    });
    const embedded = openSqliteSnapshot(join(site.data, STORE_FILE));
    await loadDocuments(store, embedded.documents(['server.identity', 'server.schema']));
    await embedded.close();
    const env = { STEWARD_STORE: url.href, STEWARD_DATA: beside('media') };
    await mkdir(env.STEWARD_DATA);
    await importWithCrashes(store, loadConfig({ env }), beside('embedded'));

    await exportServer({
      directory: beside('database'),
      random: systemRandom,
      clock: systemClock,
      open: (spool) => openStored(loadConfig({ env }), systemRandom, spool),
      onProblem: expect.unreachable,
    });
    expect(await contentOf(beside('database'))).toEqual(expected);
    expect(expected).toHaveProperty('/users.ndjson', expect.stringContaining(ALICE));
  }),
);
