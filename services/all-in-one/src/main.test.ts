import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { registrationMac, sendHttp } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { occupyPort, onSite, runCommand, type Settings } from './fixtures/processes.ts';

const REGISTER = '/_service/admin/v1/register';

const secretFile = (data: string) => join(data, 'registration_shared_secret');

describe.concurrent('the server', () => {
  it(
    'prints its addresses, the location of the secret, and the next step',
    onSite(async ({ data, start }) => {
      const { banner, url } = await start({ STEWARD_SERVER_NAME: 'example.org' });
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      for (const part of [
        'example.org',
        `${url}/_service/admin`,
        `${url}/_proto/client`,
        `${url}/_service/docs`,
        `${url}/_service/console/`,
        `${url}/health`,
        data,
        secretFile(data),
        `STEWARD_PORT=${new URL(url).port} STEWARD_DATA=${data} npm run register -- --admin alice`,
      ]) {
        expect(banner).toContain(part);
      }
      expect(await sendHttp(url, 'GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect((await sendHttp(url, 'GET', '/_service/docs')).status).toBeLessThan(400);
    }),
  );

  it(
    'names neither documentation nor console when it does not serve them',
    onSite(async ({ start }) => {
      const { banner } = await start({ STEWARD_DOCUMENTATION: 'off', STEWARD_CONSOLE: 'off' });
      expect(banner).toContain('/_proto/client');
      expect(banner).not.toContain('/_service/docs');
      expect(banner).not.toContain('/_service/console');
    }),
  );

  it(
    'generates a secret when an interrupted start left an empty file',
    onSite(async ({ data, start }) => {
      await mkdir(data);
      await writeFile(secretFile(data), '');
      const { url } = await start();
      const secret = (await readFile(secretFile(data), 'utf8')).trim();
      expect(secret.length).toBeGreaterThanOrEqual(43);
      expect((await stat(secretFile(data))).mode & 0o777).toBe(0o600);
      expect(await register(url, secret, 'alice')).toMatchObject({ status: 200 });
    }),
  );

  it(
    'uses the configured secret, and generates none',
    onSite(async ({ data, start }) => {
      const { banner, url } = await start({ STEWARD_REGISTRATION_SHARED_SECRET: 'configured' });
      expect(banner).not.toContain('configured\n  configured');
      expect(banner).toMatch(/Registration secret\s+as configured/);
      await expect(stat(secretFile(data))).rejects.toThrow('ENOENT');
      expect(await register(url, 'configured', 'alice')).toMatchObject({ status: 200 });
      expect(await register(url, 'another', 'bob')).toMatchObject({ status: 403 });
    }),
  );

  it(
    'warns of a broker that it does not use',
    onSite(async ({ start }) => {
      const server = await start({ STEWARD_NATS_URL: 'nats://127.0.0.1:1' });
      server.kill('SIGTERM');
      expect((await server.ended).stderr).toMatch(/^steward: STEWARD_NATS_URL is not used: .+\n$/);
    }),
  );

  it(
    'keeps its data and its secret, which only its user may read, across a restart',
    onSite(async ({ data, start }) => {
      const first = await start();
      expect((await stat(secretFile(data))).mode & 0o777).toBe(0o600);
      expect((await stat(data)).mode & 0o777).toBe(0o700);
      const secret = await readFile(secretFile(data), 'utf8');
      expect(secret.trim().length).toBeGreaterThanOrEqual(43);
      const { body } = await register(first.url, secret.trim(), 'alice');
      first.kill('SIGTERM');
      expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

      const { url } = await start();
      expect(await readFile(secretFile(data), 'utf8')).toBe(secret);
      const token = String(body.access_token);
      expect(await sendHttp(url, 'GET', '/_proto/client/v3/account/whoami', { token })).toMatchObject({
        status: 200,
        body: { user_id: '@alice:localhost' },
      });
      expect(await register(url, secret.trim(), 'alice')).toMatchObject({
        body: { errcode: 'M_USER_IN_USE' },
      });
    }),
  );

  it(
    'names the first step only while there is no administrator',
    onSite(async ({ start }) => {
      const settings = { STEWARD_REGISTRATION_SHARED_SECRET: 'configured' } as const;
      const restart = async (server: Awaited<ReturnType<typeof start>>) => {
        server.kill('SIGTERM');
        await server.ended;
        return start(settings);
      };
      const step = 'npm run register';
      const first = await start(settings);
      expect(first.banner).toContain(step);
      await register(first.url, 'configured', 'alice');
      const second = await restart(first);
      expect(second.banner).toContain(step);
      expect(await register(second.url, 'configured', 'root', true)).toMatchObject({ status: 200 });
      expect((await restart(second)).banner).not.toContain(step);
    }),
  );
});

it(
  'serves gRPC to programs on a port of its own, until it ends',
  onSite(async ({ data, start }) => {
    await mkdir(data);
    const file = join(data, '..', 'credential');
    await writeFile(file, 'the credential of a program\n');
    const client = { name: 'bot', credential_files: [file], scopes: ['users:read'] };
    const server = await start({
      STEWARD_GRPC_PORT: '0',
      STEWARD_INTERNAL_CREDENTIAL: 'the credential of processes',
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ services: { clients: [client] } }),
    });
    const [, url = ''] = /^ {2}gRPC\s+(http:\S+)$/m.exec(server.banner) ?? [];
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const begin = (method: string, type: string, credential?: string) =>
      session.request({
        ':method': 'POST',
        ':path': `/${method}`,
        'content-type': type,
        ...(credential !== undefined && { 'steward-credential': credential }),
      });
    const call = async (method: string, credential?: string) => {
      const stream = begin(method, 'application/json', credential);
      stream.end('{}');
      const [{ ':status': status }] = await once(stream, 'response');
      const text = (await stream.setEncoding('utf8').toArray()).join('');
      return { status, body: text === '' ? {} : JSON.parse(text) };
    };
    const known = 'the credential of a program';
    const me = 'steward.user.v1.RoleService/GetMe';
    expect(await call(me, known)).toMatchObject({ status: 200, body: { userId: 'client:bot' } });
    for (const service of ['user.v1.AccountService/ListUsers', 'room.v1.RoomAdminService/ListRooms'])
      expect((await call(`steward.${service}`, known)).status).toBe(service.startsWith('user') ? 200 : 403);
    for (const other of [undefined, 'guess', 'the credential of processes'])
      expect(await call(me, other)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    // For the server's own processes.
    expect((await call('steward.user.v1.AuthorityService/RequireAuthority', known)).status).toBe(404);
    expect((await call('steward.user.v1.DeviceService/CountDevices', known)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await call('grpc.health.v1.Health/Check')).toMatchObject({ body: { status: 'SERVING' } });

    // Tools keep it open.
    const reflection = begin('grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'application/grpc');
    reflection.on('error', () => {});
    await call('grpc.health.v1.Health/Check');
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  }),
);

describe.concurrent.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  it(
    'the server answers the request in progress, and exits with 0',
    onSite(async ({ start }) => {
      const server = await start();
      const request = await beginRequest(server.url, '/_service/admin/v1/register');
      server.kill(signal);
      await untilRefused(server.url);
      expect(await request.finish('{}')).toMatch(/^HTTP\/1\.1 400 [\s\S]*M_BAD_JSON/);
      expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    }),
  );
});

it.concurrent(
  'closes idle connections when it ends',
  onSite(async ({ start }) => {
    const server = await start();
    const { hostname, port } = new URL(server.url);
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    idle.destroy();
  }),
);

describe.concurrent('a start is refused', () => {
  const refused = async (data: string, settings: Settings) => {
    const { code, stderr, stdout } = await runCommand('serve', {
      settings: { STEWARD_DATA: data, STEWARD_PORT: '0', ...settings },
    });
    expect(code).toBe(1);
    // A busy machine builds indexes for so long that the log says how far it is.
    expect(stdout.replace(/^.*builds the indexes of .*\n/gm, '')).toBe('');
    const lines = stderr.trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^steward: \S/);
    return lines;
  };

  it(
    'because its port is in use',
    onSite(async ({ data, start }) => {
      const { port, release } = await occupyPort();
      expect(await refused(data, { STEWARD_PORT: String(port) })).toEqual([
        expect.stringMatching(new RegExp(`STEWARD_PORT: port ${port} is in use`)),
      ]);
      await release();
      // The refused start has released the data directory.
      await start();
    }),
  );

  it(
    'because its metrics port is in use',
    onSite(async ({ data }) => {
      const { port, release } = await occupyPort();
      expect(await refused(data, { STEWARD_METRICS_PORT: String(port) })).toEqual([
        expect.stringMatching(new RegExp(`STEWARD_METRICS_PORT: port ${port} is in use`)),
      ]);
      await release();
    }),
  );

  it(
    'because its data directory cannot be created',
    onSite(async ({ data }) => {
      await mkdir(join(data, '..'), { recursive: true });
      await writeFile(data, 'a file');
      expect(await refused(data, { STEWARD_DATA: join(data, 'below') })).toEqual([
        expect.stringMatching(
          /The data directory .*below cannot be used: a part of the path is a file \(ENOTDIR\)/,
        ),
      ]);
    }),
  );

  it(
    'because another process uses the data directory',
    onSite(async ({ data, start }) => {
      const first = await start();
      expect(await refused(data, {})).toEqual([expect.stringContaining(data)]);
      expect(await sendHttp(first.url, 'GET', '/health')).toMatchObject({ status: 200 });
    }),
  );

  it(
    'because its data are those of another server, as is an import',
    onSite(async ({ data, start }) => {
      const first = await start({ STEWARD_SERVER_NAME: 'one.example' });
      first.kill('SIGTERM');
      expect(await first.ended).toMatchObject({ code: 0 });
      const other = { STEWARD_SERVER_NAME: 'two.example' } as const;
      const both =
        /: The store holds the data of the server one\.example, but STEWARD_SERVER_NAME is two\.example\./;
      expect(await refused(data, other)).toEqual([expect.stringMatching(both)]);
      const file = join(data, '..', 'users.ndjson');
      await writeFile(file, '');
      const settings = { STEWARD_DATA: data, ...other };
      const imported = await runCommand('import', { args: [file], settings });
      expect(imported).toMatchObject({ code: 1, stderr: expect.stringMatching(both) });
      await start({ STEWARD_SERVER_NAME: 'one.example' });
    }),
  );

  it(
    'because of an unknown key',
    onSite(async ({ data }) => {
      const overrides = JSON.stringify({ server: { prot: 1 } });
      expect(await refused(data, { STEWARD_CONFIG_OVERRIDES: overrides })).toEqual([
        expect.stringMatching(/server\.prot .*no such key; did you mean server\.port\?/),
      ]);
    }),
  );

  it(
    'because of an invalid port, and each further reason is reported',
    onSite(async ({ data }) => {
      const lines = await refused(data, { STEWARD_PORT: '80.5', STEWARD_SERVER_NAME: 'not a name' });
      expect(lines).toHaveLength(2);
      for (const setting of ['STEWARD_PORT', 'STEWARD_SERVER_NAME']) {
        expect(lines).toContainEqual(expect.stringContaining(setting));
      }
    }),
  );

  it(
    'because others can share its store, and it has no broker to reach them',
    onSite(async ({ data }) => {
      expect(await refused(data, { STEWARD_STORE: 'mongodb://127.0.0.1:1/steward' })).toEqual([
        expect.stringContaining('set STEWARD_NATS_URL'),
      ]);
    }),
  );
});

/** Registers an account with the secret, and logs in. */
async function register(url: string, secret: string, username: string, admin = false) {
  const { nonce } = (await sendHttp<{ nonce: string }>(url, 'GET', REGISTER)).body;
  const who = { nonce, username, password: 'p', admin };
  return sendHttp(url, 'POST', REGISTER, { body: { ...who, mac: registrationMac(secret, who) } });
}

/** Sends the head of a request, and waits until the server has accepted it. */
async function beginRequest(url: string, path: string): Promise<{ finish(body: string): Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname).setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1\.1 100 /);
  return {
    async finish(body) {
      let answer = '';
      socket.on('data', (text: string) => {
        answer += text;
      });
      socket.write(body);
      await once(socket, 'end');
      socket.destroy();
      return answer;
    },
  };
}

/** Resolves when the server refuses new connections. */
async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const refused = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    });
    socket.destroy();
    if (refused) return;
  }
}
