import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresDatabase } from '@steward/migrate/testing';
import { requireTool } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { occupyPort, onSite, runCommand, type Site } from '../fixtures/processes.ts';
import { findPostgres } from './fixtures/find-postgres.ts';
import {
  banAndRedact,
  FORKED_BEFORE,
  liveCommunity,
  type Member,
  memberOf,
  PASSWORDS,
  signIn,
} from './fixtures/live-community.ts';

const reference = requireTool('reference');

const { ferretdb, postgresUrl } = findPostgres();

/** The database of a reference homeserver. */
interface Database {
  /** What stands under `database` in its configuration, and in the one that the copy reads. */
  readonly own: object;
  readonly read: object;
  /** Called before the copy. */
  prepare(): Promise<void>;
  /** What the copy must not change. */
  state(): unknown;
  remove(): Promise<void>;
}

async function sqliteDatabase(folder: string): Promise<Database> {
  const path = join(folder, 'homeserver.db');
  const config = { name: 'sqlite3', args: { database: path } };
  return {
    own: config,
    read: config,
    prepare: async () => {},
    state: () => hash('sha256', readFileSync(path)),
    remove: async () => rmSync(path, { force: true }),
  };
}

/** The copy reads it as a role that may only select. */
async function postgresDatabase(): Promise<Database> {
  const { owner, reader, permitReading, drop } = await createPostgresDatabase(postgresUrl ?? '');
  const config = (args: object) => ({ name: 'psycopg2', args });
  return {
    own: config({ ...owner, cp_min: 1, cp_max: 5 }),
    read: config({ ...reader, cp_min: 1 }),
    prepare: permitReading,
    state: () => undefined,
    remove: drop,
  };
}

const SECRET = 'secret';
const PEPPER = 'päpper';

/** How long the reference may take to start, in milliseconds, and how often it is asked. */
const START_MS = 60_000;

/** How long the whole may take, in milliseconds. */
const LIMIT_MS = 5 * START_MS;

const UNLIMITED = '{per_second: 10000, burst_count: 10000}';

/** The configuration of a reference homeserver in a folder. */
function configurationOf(folder: string, port: number, database: object): string {
  return `
server_name: localhost
pid_file: ${folder}/homeserver.pid
listeners: [{port: ${port}, type: http, bind_addresses: ['127.0.0.1'], resources: [{names: [client]}]}]
database: ${JSON.stringify(database)}
log_config: ${folder}/log.yaml
media_store_path: ${folder}/media_store
registration_shared_secret: ${SECRET}
experimental_features: {msc4293_enabled: true}
background_updates: {sleep_enabled: false}
report_stats: false
macaroon_secret_key: a
form_secret: b
signing_key_path: ${folder}/signing.key
trusted_key_servers: []
bcrypt_rounds: 4
password_config: {pepper: "${PEPPER}"}
room_list_publication_rules: [{action: allow}]
rc_message: ${UNLIMITED}
rc_registration: ${UNLIMITED}
rc_login: {address: ${UNLIMITED}, account: ${UNLIMITED}, failed_attempts: ${UNLIMITED}}
rc_joins: {local: ${UNLIMITED}}
rc_invites: {per_room: ${UNLIMITED}, per_user: ${UNLIMITED}, per_issuer: ${UNLIMITED}}
rc_reports: ${UNLIMITED}
rc_room_creation: ${UNLIMITED}
`;
}

/** Starts the reference, which the caller ends. */
async function startReference(
  folder: string,
  { own }: Database,
): Promise<{ url: string; child: ChildProcess }> {
  const python = reference.command ?? '';
  const { port, release } = await occupyPort();
  await release();
  const yaml = join(folder, 'homeserver.yaml');
  writeFileSync(yaml, configurationOf(folder, port, own));
  writeFileSync(join(folder, 'log.yaml'), 'version: 1\n');
  const run = (...args: string[]) =>
    spawn(python, ['-m', 'synapse.app.homeserver', '-c', yaml, ...args], { cwd: folder, stdio: 'ignore' });
  await once(run('--generate-keys'), 'close');
  const child = run();
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: START_MS }).toBe(true);
  return { url, child };
}

describe.skipIf(reference.command === undefined)(reference.title, () => {
  const takesOver = (open: (folder: string) => Promise<Database>) =>
    onSite(async (site) => {
      const database = await open(join(site.data, '..'));
      try {
        await takeOver(site, database);
      } finally {
        await database.remove();
      }
    });

  it('takes over a community on SQLite, whose members go on', takesOver(sqliteDatabase), LIMIT_MS);

  it.skipIf(postgresUrl === undefined)(
    `takes over a community on PostgreSQL, whose members go on: ${ferretdb.title}`,
    takesOver(postgresDatabase),
    LIMIT_MS,
  );
});

async function takeOver({ data, start }: Site, database: Database): Promise<void> {
  const folder = join(data, '..');
  const old = await startReference(folder, database);
  const { members, rooms, claimed } = await liveCommunity(old.url, SECRET);
  // One of these notes that media are quarantined: it must not come between two copies.
  const updates = async () =>
    (await members.admin?.call('GET', '/_synapse/admin/v1/background_updates/status'))?.current_updates;
  await expect.poll(updates, { timeout: START_MS }).toEqual({});
  const { admin, alice, bob, carol, dave, erin } = members;
  if (!admin || !alice || !bob || !carol || !dave || !erin) throw new Error('members are missing');
  // What the old server says, to compare.
  const asked = [
    ...Object.values(members).map(({ userId }) => `/_synapse/admin/v1/users/${userId}/joined_rooms`),
    ...Object.values(rooms).map((id) => `/_synapse/admin/v1/rooms/${encodeURIComponent(id)}`),
    ...Object.values(rooms).map((id) => `/_synapse/admin/v1/rooms/${encodeURIComponent(id)}/members`),
    ...Object.values(rooms).map((id) => `/_synapse/admin/v1/rooms/${encodeURIComponent(id)}/block`),
    '/_synapse/admin/v1/registration_tokens',
    '/_synapse/admin/v1/event_reports',
    '/_synapse/admin/v1/media/quarantine_changes',
  ];
  const ofRoom = `/_matrix/client/v3/rooms/${encodeURIComponent(rooms.public ?? '')}`;
  const ofBob = [
    ...Object.entries(rooms).flatMap(([name, id]) =>
      name === 'public' || name.startsWith('version')
        ? [`/_matrix/client/v3/rooms/${encodeURIComponent(id)}/messages?dir=b&limit=100`]
        : [],
    ),
    '/_matrix/client/v3/devices',
    '/_matrix/client/v3/pushrules/global/content/bobs',
  ];
  const keys = { device_keys: { [alice.userId]: [], [bob.userId]: [] } };
  const answersOf = async (url: string) => {
    const answer = async (as: typeof admin, path: string, method = 'GET', body?: unknown) =>
      memberOf(url, as)
        .call(method, path, body)
        .then(comparable, (error: Error) => error.message.replace(/\{.*/s, ''));
    const answers: Record<string, unknown> = {};
    for (const path of asked) answers[path] = await answer(admin, path);
    for (const path of ofBob) answers[path] = await answer(bob, path);
    answers.keys = await answer(bob, '/_matrix/client/v3/keys/query', 'POST', keys);
    answers.backup = await answer(alice, '/_matrix/client/v3/room_keys/keys?version=2');
    answers.filter = await answer(alice, `/_matrix/client/v3/user/${alice.userId}/filter/0`);
    return answers;
  };
  const { forked = '' } = rooms;
  const viewers = Object.entries({ bob, carol, dave, erin });
  /**
   * What all see of the events of the forked room. Compared with the old server is not the context of events that it refuses although
   * its history has them: changes of the visibility, and own memberships, which were visible before.
   */
  const seenAt = async (url: string, ids: readonly string[], old?: Readonly<Record<string, Seen>>) => {
    const seen: Record<string, Seen> = {};
    for (const [name, viewer] of viewers) {
      const member = memberOf(url, viewer);
      const history = await historyOf(member, forked);
      seen[name] = history;
      for (const id of ids) {
        const event = await eventWithState(member, forked, id);
        const before = old?.[`${name} ${id}`];
        seen[`${name} ${id}`] =
          before === 'refused' && history.events.includes(id) ? before : withHidden(event, before, history);
      }
    }
    return seen;
  };
  const stop = async ({ child }: typeof old) => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  const pepper = join(folder, 'pepper');
  writeFileSync(pepper, PEPPER);
  const settings = {
    STEWARD_DATA: data,
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({ passwords: { peppers: [{ name: 'old', file: pepper }] } }),
  };
  /** State events that have lost a fork, which are hidden. */
  const lost = new Set<string>();
  const copy = async () => {
    const args = ['copy', '--from', join(folder, 'homeserver.yaml'), '--from', join(folder, 'reader.yaml')];
    const copied = await runCommand('migrate', { args, settings });
    expect(copied.code, copied.stderr).toBe(0);
    for (const found of copied.stderr.matchAll(/events: (\S+): it is hidden: /g)) lost.add(found[1] ?? '');
    return copied.stdout;
  };
  await database.prepare();
  writeFileSync(join(folder, 'reader.yaml'), JSON.stringify({ database: database.read }));
  await copy();
  await bob.call('PUT', `${ofRoom}/send/m.room.message/late`, { msgtype: 'm.text', body: 'late' });
  for (const version of ['1', '6', '10', '11', '12'])
    await banAndRedact(bob, rooms[`version ${version}`] ?? '', carol);
  await alice.call('PUT', '/_matrix/client/v3/devices/LAPTOP', { display_name: 'Laptop' });
  await admin.call('DELETE', '/_synapse/admin/v1/registration_tokens/ever');
  const before = await answersOf(old.url);
  // The last ones are messages that only make the history longer.
  const known = (await historyOf(alice, forked)).events.slice(FORKED_BEFORE);
  const seenBefore = await seenAt(old.url, known);
  await stop(old);
  const state = database.state();
  const later = await copy();
  // The public API makes forks: several requests are answered at once, and their events follow the same ones.
  expect(later).toMatch(/^events of event_to_state_groups: [1-9]\d* read/m);
  expect(later).toMatch(/^registration_tokens .* 0 loaded, 1 unchanged, 1 removed/m);
  expect(later).toMatch(/^quarantine_changes .* 0 loaded, [12] unchanged, 0 removed/m);
  expect(database.state()).toEqual(state);

  const { url } = await start(settings);
  const shown = known.filter((id) => !lost.has(id));
  const expected = Object.entries(seenBefore).flatMap(([of, seen]) => {
    if (lost.has(of.split(' ')[1] ?? '')) return [];
    return [
      [of, seen.events ? { ...seen, events: seen.events.filter((id: string) => !lost.has(id)) } : seen],
    ];
  });
  expect(await seenAt(url, shown, seenBefore)).toEqual(Object.fromEntries(expected));
  expect(await answersOf(url)).toEqual(before);
  const again = await startReference(folder, database);
  const verify = async (password: string) => {
    writeFileSync(join(folder, 'token'), admin.token);
    const args = ['verify', '--old', again.url, '--new', url, '--token-file', join(folder, 'token')];
    return runCommand('migrate', {
      args: [...args, '--json', '--user', alice.userId],
      input: `${password}\n`,
      settings,
    });
  };
  const verified = await verify(PASSWORDS.alice ?? '');
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ...{ differences: [], unexplained: 0, password_accepted: true },
    compared: { users: 7, rooms: 12, event_reports: 1, user_reports: 1, registration_tokens: 1 },
  });
  expect(verified.code).toBe(0);
  await memberOf(url, bob).call('PUT', `${ofRoom}/send/m.room.message/new`, {
    msgtype: 'm.text',
    body: 'new',
  });
  const differing = await verify('wrong');
  expect(JSON.parse(differing.stdout)).toMatchObject({ password_accepted: false });
  expect(differing.stdout).toContain(`"of": "messages",\n      "key": "${rooms.public}"`);
  expect(differing.code).toBe(2);
  await stop(again);
  await database.remove();
  for (const name of ['alice', 'bob', 'carol', 'dave'])
    await expect(signIn(url, name, PASSWORDS[name] ?? '', 'NEW')).resolves.toMatchObject({
      deviceId: 'NEW',
    });
  const { one_time_keys } = await memberOf(url, bob).call('POST', '/_matrix/client/v3/keys/claim', {
    one_time_keys: { [alice.userId]: { [alice.deviceId]: 'signed_curve25519' } },
  });
  expect(claimed).toHaveLength(2);
  expect(JSON.stringify(one_time_keys)).not.toMatch(new RegExp(claimed.join('|')));
}

// biome-ignore lint/suspicious/noExplicitAny: any answer.
type Answer = any;

/** What a member sees. */
type Seen = Answer;

const namesOf = (events: Answer) =>
  events.map(({ type, state_key, event_id }: Answer) => `${type} ${state_key} ${event_id}`).sort();

/** The events of a room that a member sees, in their order, and the members that they need. */
async function historyOf(member: Member, room: string) {
  const filter = encodeURIComponent(JSON.stringify({ lazy_load_members: true }));
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/messages`;
  const { chunk, state }: Answer = await member.call('GET', `${path}?dir=b&limit=500&filter=${filter}`);
  return { events: chunk.map(({ event_id }: Answer) => event_id) as string[], state: namesOf(state) };
}

/** An event as a member sees it, and the state at it; or that it is refused. */
async function eventWithState(member: Member, room: string, id: string): Promise<Seen> {
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}`;
  const filter = encodeURIComponent(JSON.stringify({ lazy_load_members: true }));
  const at = `${path}/context/${encodeURIComponent(id)}?limit=0`;
  try {
    const { event, state, end }: Answer = await member.call('GET', at);
    const { state: lazy }: Answer = await member.call('GET', `${at}&filter=${filter}`);
    const { chunk }: Answer = await member.call('GET', `${path}/members?at=${end}`);
    const { membership, replaces_state } = event.unsigned;
    return {
      ...{ id: event.event_id, content: event.content, membership, replaces_state },
      ...{ state: namesOf(state), lazy: namesOf(lazy), members: namesOf(chunk) },
    };
  } catch {
    return 'refused';
  }
}

/** What a member sees of an event, with the id of an event that the old server shows as replaced although it is hidden from the member. */
function withHidden(seen: Seen, old: Seen, { events }: { readonly events: readonly string[] }): Seen {
  const replaced = old?.replaces_state;
  const isHidden = seen.replaces_state === undefined && !events.includes(replaced);
  return isHidden && seen !== 'refused' ? { ...seen, replaces_state: replaced } : seen;
}

/** An answer without what differs by design: ages, times of the last request, and the order of lists without one. */
function comparable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    if (
      [
        'age',
        'age_ts',
        'last_seen_ts',
        'start',
        'end',
        'user_id',
        'redacted_because',
        'm.relations',
        'prev_content',
        'replaces_state',
      ].includes(name)
    )
      return undefined;
    if (name.includes('user_agent')) return undefined;
    // The old server on SQLite shows flags of the database as numbers here.
    if (name === 'quarantined') return Boolean(value);
    return Array.isArray(value) && name !== 'chunk'
      ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : value;
  });
}
