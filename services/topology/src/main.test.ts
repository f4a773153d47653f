import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AuditService } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { createAuthority, requireEngine, withLongTimeouts } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSandbox, type Sandbox } from './fixtures/sandbox.ts';
import { freePorts } from './free-ports.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const READY = /ready at (\S+),[\s\S]*Registration secret/;
const PROCESSES = ['Gateway', 'User service', 'Room service', 'Media service', 'Moderation service'];
const TIMEOUT_MS = 180_000;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

function launch(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  return { child, output: () => output };
}

/** Returns the first of some free ports, one after the other. */
async function consecutiveFreePorts(count: number): Promise<number> {
  for (;;) {
    const [first = 0, ...others] = await freePorts(count);
    if (others.every((port, n) => port === first + n + 1)) return first;
  }
}

/** The certificates of a server, and a client that calls its services with a credential of its own. */
async function newClient(folder: string, services: { readonly user: string; readonly moderation: string }) {
  const authority = await createAuthority();
  const [own, other] = await Promise.all([authority.issue(['127.0.0.1']), authority.issue(['client'])]);
  const file = join(folder, 'credential');
  const nodeOptions = {
    ca: readFileSync(authority.file),
    cert: readFileSync(other.certificate),
    key: readFileSync(other.key),
  };
  const at = (baseUrl: string) => createGrpcTransport({ baseUrl, nodeOptions });
  return {
    env: {
      STEWARD_SERVICES_CA_FILE: authority.file,
      STEWARD_SERVICES_CERTIFICATE_FILE: own.certificate,
      STEWARD_SERVICES_KEY_FILE: own.key,
    },
    settings: { name: 'probe', credential_files: [file], scopes: ['users:write', 'audit:read'] },
    replaceCredential: (credential: string) => writeFile(file, credential),
    with(credential: string) {
      const options = { headers: { 'steward-credential': credential } };
      const accounts = createClient(AccountService, at(services.user));
      const audit = createClient(AuditService, at(services.moderation));
      return {
        put: (userId: string) => accounts.putUser({ userId }, options),
        readAudit: async (target: string) => (await audit.listAuditLog({ target }, options)).entries,
      };
    },
  };
}

/** Returns the id of the process of a service that another process started. */
function pidOf(parent: ChildProcess, service: string): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const line = new RegExp(`^ *(\\d+) +${parent.pid} .*dist/${service}\\.js`);
  return Number(processes.flatMap((text) => line.exec(text)?.[1] ?? [])[0]);
}

describe.skipIf(!mongo.url || !nats.url)(`the topology's entry: ${mongo.title}, ${nats.title}`, () => {
  let data: string;
  let sandbox: Sandbox;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'steward-topology-'));
    sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
  });
  afterAll(async () => {
    await rm(data, { recursive: true, force: true });
    await sandbox.drop();
  });

  it('starts all processes on fixed ports, over TLS and for a client, replaces one that ends, and ends all', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const base = await consecutiveFreePorts(PROCESSES.length + 4);
    const metrics = base + 4;
    const services = [0, 1, 2, 3].map((n) => `https://127.0.0.1:${base + n}`);
    const [userUrl = '', , , moderation = ''] = services;
    const client = await newClient(data, { user: userUrl, moderation });
    await client.replaceCredential('the first credential\n');
    const { child, output } = launch(
      {
        ...sandbox.settings(),
        ...client.env,
        STEWARD_CONFIG_OVERRIDES: JSON.stringify({
          bus: { namespace: sandbox.namespace },
          services: { clients: [client.settings] },
        }),
        STEWARD_PORT: '0',
        STEWARD_METRICS_PORT: String(metrics),
        STEWARD_DATA: join(data, 'data'),
      },
      '--base-port',
      String(base),
    );
    await expect.poll(output, { timeout: TIMEOUT_MS }).toMatch(READY);
    const [, gateway = ''] = READY.exec(output()) ?? [];
    const urls = [gateway, ...services];
    const rows = PROCESSES.map((name, n) => [name, urls[n], `http://127.0.0.1:${metrics + n}/metrics`]);
    const printed = [...output().matchAll(/^ {2}(\S+(?: service)?) +(\S+) {2}metrics (\S+)$/gm)];
    expect(printed.map(([, ...row]) => row)).toEqual(rows);
    for (const [, , url = ''] of rows) expect((await fetch(url)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${gateway}/health`)).status).toBe(200);
    const register = async () => (await fetch(`${gateway}/_service/admin/v1/register`)).status;
    expect(await register()).toBe(200);
    const secret = await stat(join(data, 'data', 'registration_shared_secret'));
    expect(secret.mode & 0o777).toBe(0o600);

    const first = client.with('the first credential');
    expect((await first.put('@alice:test')).created).toBe(true);
    const entries = () => first.readAudit('@alice:test');
    const limit = { timeout: TIMEOUT_MS };
    await expect
      .poll(entries, limit)
      .toMatchObject([{ actor: 'client:probe', tokenKind: 'client', address: '127.0.0.1', outcome: 'ok' }]);
    await client.replaceCredential('the second credential');
    const second = client.with('the second credential');
    await expect.poll(() => second.put('@alice:test').catch(() => undefined), limit).toBeDefined();
    await expect(first.put('@alice:test')).rejects.toMatchObject({ code: Code.Unauthenticated });

    process.kill(pidOf(child, 'user'), 'SIGKILL');
    const user = `steward-topology: The user service at ${userUrl}`;
    await expect.poll(output).toContain(`${user} ended (SIGKILL). It starts again in 1 s.\n`);
    await expect.poll(output, { timeout: TIMEOUT_MS }).toContain(`${user} is ready again.\n`);
    await expect.poll(register).toBe(200);

    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it.each([
    [{ STEWARD_PORT: 'x' }, [], 'server.port (STEWARD_PORT): must be a number'],
    [{}, ['--base-port', 'x'], '--base-port must be a port from 1 to 65532: it is the first of 4.'],
    [
      { STEWARD_METRICS_PORT: '65532' },
      [],
      'STEWARD_METRICS_PORT must be a port from 1 to 65531: it is the first of 5.',
    ],
  ])(
    'with %j and %j reports in one line what is invalid',
    {
      timeout: TIMEOUT_MS,
    },
    async (settings, args, line) => {
      const { child, output } = launch(
        { ...sandbox.settings(), STEWARD_DATA: data, ...(settings as Record<string, string>) },
        ...args,
      );
      const [code] = await once(child, 'exit');
      expect(code).toBe(1);
      // Before this line, the process may warn of variables of the environment of the tests.
      expect(output().trimEnd().split('\n').at(-1)).toBe(`steward-topology: ${line}`);
    },
  );
});
