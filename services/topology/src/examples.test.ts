import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createAuthority,
  path,
  requireEngine,
  requireTool,
  sendHttp,
  withLongTimeouts,
} from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerAdmin } from './fixtures/register-admin.ts';
import { newSandbox, type Sandbox } from './fixtures/sandbox.ts';
import { startTopology, type Topology } from './start-topology.ts';

/** The timeout of one command, in milliseconds, so that a hanging one is reported by its name. */
const COMMAND_MS = 60_000;

const run = promisify(execFile);
const inExamples = (file: string) => fileURLToPath(new URL(`../../../examples/${file}`, import.meta.url));

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');
const python = requireTool('example_python');
const go = requireTool('example_go');

/** The example clients: each with the words that its commands begin with, and what must be done before. */
const EXAMPLES = [
  {
    name: 'python',
    ...python,
    words: [python.command ?? '', inExamples('python/main.py')],
    prepare: async () => {
      await run(python.command ?? '', [inExamples('python/generate.py')]);
    },
  },
  { name: 'go', ...go, words: [go.command ?? ''], prepare: async () => {} },
  ...['connect', 'grpc-js'].map((name) => ({
    name,
    title: `the example with ${name}`,
    command: process.execPath,
    words: [process.execPath, inExamples(`${name}/main.ts`)],
    prepare: async () => {},
  })),
];

/** What a client does that reads accounts and the audit log, suspends accounts and deletes rooms. */
const MODERATION = ['users:read', 'users:write', 'rooms:read', 'rooms:delete', 'audit:read'];

describe.each(EXAMPLES)('$title, without a server', ({ command, words, prepare }) => {
  it.skipIf(command === undefined)('soon fails, and names the address', async () => {
    await prepare();
    const [program = '', ...first] = words;
    const address = '127.0.0.1:1';
    const call = run(program, [...first, '--credential-file', '/dev/null', '--address', address, 'users'], {
      timeout: COMMAND_MS,
    });
    await expect(call).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(address) });
  });
});

describe.skipIf(mongo.url === undefined || nats.url === undefined)(
  `Programs with credentials of their own: ${mongo.title}, ${nats.title}`,
  () => {
    let sandbox: Sandbox;
    let folder: string;
    let topology: Topology;
    let admin: string;
    /** With which the programs call over TLS. */
    let tls: readonly string[];

    const credentialOf = (client: string) => join(folder, client);

    beforeAll(async () => {
      sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
      folder = await mkdtemp(join(tmpdir(), 'steward-examples-'));
      const clients = EXAMPLES.flatMap(({ name }) => [
        { name, scopes: MODERATION },
        { name: `${name}-reader`, scopes: ['users:read'] },
      ]);
      for (const { name } of clients)
        await writeFile(credentialOf(name), `${randomBytes(32).toString('hex')}\n`);
      const authority = await createAuthority();
      // grpc-js connects over TLS to host names only.
      const own = await authority.issue(['127.0.0.1', 'localhost']);
      const { certificate, key } = await authority.issue(['moderation.example']);
      tls = ['--ca', authority.file, '--certificate', certificate, '--key', key];
      topology = await startTopology({
        env: sandbox.settings({
          services: {
            clients: clients.map((client) => ({
              ...client,
              credential_files: [credentialOf(client.name)],
            })),
            tls: { ca_file: authority.file, certificate_file: own.certificate, key_file: own.key },
          },
        }),
        tls: true,
      });
      admin = await registerAdmin(topology.url);
    });
    afterAll(async () => {
      await topology?.close();
      await sandbox.drop();
      await rm(folder, { recursive: true });
    });

    const api = async (verb: string, target: string, body?: object) => {
      const reply = await sendHttp(topology.url, verb, target, { token: admin, ...(body && { body }) });
      expect(reply).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
      return reply.body as Record<string, unknown>;
    };

    describe.each(EXAMPLES)('$title', ({ name, command, words, prepare }) => {
      const alice = `@alice-${name}:test`;

      beforeAll(async () => {
        if (command !== undefined) await prepare();
      });

      /** Runs a command of the program with the credential of a client; returns what it prints, line by line. */
      const call = async (client: string, service: keyof Topology, ...args: readonly string[]) => {
        const [{ url } = { url: '' }] = topology[service] as Topology['user'];
        const [program = '', ...first] = words;
        const address = `localhost:${new URL(url).port}`;
        const options = ['--credential-file', credentialOf(client), '--address', address];
        const { stdout } = await run(program, [...first, ...options, ...tls, ...args], {
          timeout: COMMAND_MS,
        });
        const lines = stdout.split('\n').slice(0, -1);
        return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      };
      const audited = async (client: string) => {
        const { entries } = await api('GET', path`/_service/admin/v1/audit_log?actor=${`client:${client}`}`);
        return entries as Record<string, unknown>[];
      };

      it.skipIf(command === undefined)('lists, suspends, deletes and reads within its scopes', async () => {
        for (const user of [alice, `@bob-${name}:test`]) {
          await api('PUT', path`/_service/admin/v2/users/${user}`, { displayname: 'Zoë \u{1f980}' });
        }
        const { users } = await api('GET', '/_service/admin/v2/users');
        const names = (users as { name: string }[]).map((user) => user.name);
        const listed = await call(name, 'user', 'users', '--page-size', '2');
        expect(listed.map((user) => user.name)).toEqual(names);
        expect(listed).toContainEqual(expect.objectContaining({ name: alice, displayname: 'Zoë \u{1f980}' }));

        const isSuspended = async () => (await api('GET', path`/_service/admin/v2/users/${alice}`)).suspended;
        await call(name, 'user', 'suspend', alice);
        expect(await isSuspended()).toBe(true);
        await call(name, 'user', 'suspend', '--lift', alice);
        expect(await isSuspended()).toBe(false);

        const { room_id: room } = await api('POST', '/_proto/client/v3/createRoom', {});
        const statuses = await call(name, 'room', 'delete-room', String(room));
        expect(statuses.at(-1)).toMatchObject({
          room_id: room,
          status: 'complete',
          shutdown_room: { kicked_users: ['@admin:test'] },
        });

        const done = { actor: `client:${name}`, token_kind: 'client', outcome: 'ok', address: '127.0.0.1' };
        const entries = ['room.begin_room_deletion', 'user.suspend', 'user.suspend'].map((action) =>
          expect.objectContaining({ ...done, action }),
        );
        const readAudit = () => call(name, 'moderation', 'audit', '--actor', `client:${name}`);
        await expect.poll(readAudit).toEqual(entries);
        expect(await audited(name)).toEqual(entries);
      });

      it.skipIf(command === undefined)('shows what is refused', async () => {
        const reader = `${name}-reader`;
        const suspend = call(reader, 'user', 'suspend', alice);
        await expect(suspend).rejects.toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(/^permission_?denied M_FORBIDDEN: .*users:write.*\n$/i),
        });
        await expect
          .poll(() => audited(reader))
          .toEqual([
            expect.objectContaining({ action: 'user.suspend', outcome: 'refused', errcode: 'M_FORBIDDEN' }),
          ]);
        await expect(call(name, 'user', 'suspend', '@nemo:test')).rejects.toMatchObject({
          stderr: expect.stringMatching(/^not_?found M_NOT_FOUND: .+\n$/i),
        });
        await writeFile(credentialOf('stranger'), 'the credential of no client');
        await expect(call('stranger', 'user', 'users')).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^unauthenticated: .+\n$/i),
        });
      });
    });
  },
);
