import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { registrationMac } from './registration-mac.ts';
import type { RunningSetup, Setup, SetupOptions } from './setup.ts';
import { World } from './world.ts';

const SECRET = 'shared';

/** A set-up whose server accepts every registration and answers everything else with the request. */
function createStub(sharedSecret: string | undefined = SECRET) {
  const log: string[] = [];
  const registered: Record<string, unknown>[] = [];
  const run = async (): Promise<RunningSetup> => {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      if (request.url !== '/_service/admin/v1/register') {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ method, url, authorization: headers.authorization, text }));
      } else if (request.method === 'GET') {
        response.end('{"nonce":"once"}');
      } else {
        const body = JSON.parse(text);
        registered.push(body);
        response.end(
          JSON.stringify({ user_id: `@${body.username}:stub`, access_token: body.username, device_id: 'D' }),
        );
      }
    });
    return { ...(await listen(server)), serverName: 'stub', sharedSecret, ...actions(server) };
  };
  const actions = (server: Server) => ({
    whenIdle: async () => void log.push('whenIdle'),
    metrics: async () => '',
    async restart(options: SetupOptions) {
      log.push(`restart ${JSON.stringify(options)}`);
      server.close();
      return run();
    },
    async close() {
      log.push('close');
      server.close();
    },
  });
  const setup: Setup = {
    name: 'stub',
    async start(options) {
      log.push(`start ${JSON.stringify(options)}`);
      return run();
    },
  };
  return { setup, log, registered };
}

async function listen(server: Server): Promise<{ url: string }> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a world', () => {
  it('starts with an administrator, registered with nonce and MAC', async () => {
    const { setup, registered } = createStub();
    const world = new World(setup);
    await world.start();
    expect(world.admin.userId).toMatch(/^@admin-\d+:stub$/);
    const { username, password } = registered[0] as { username: string; password: string };
    const mac = registrationMac(SECRET, { nonce: 'once', username, password, admin: true });
    expect(registered[0]).toMatchObject({ nonce: 'once', admin: true, mac });
    await world.close();
  });

  it('has no administrator when registration with the secret is off', async () => {
    const world = new World(createStub('').setup);
    await world.start();
    expect(() => world.admin).toThrow('no administrator');
    await world.close();
  });

  it('gives every user a unique name, and sends the requests of a user with its token', async () => {
    const world = new World(createStub().setup);
    await world.start();
    const [alice, other] = [await world.user('alice'), await world.user('alice')];
    expect(alice.userId).not.toBe(other.userId);
    expect((await alice.post('/path', { body: { a: 1 } })).body).toEqual({
      method: 'POST',
      url: '/path',
      authorization: `Bearer ${alice.token}`,
      text: '{"a":1}',
    });
    await world.close();
  });

  it('creates accounts as the administrator', async () => {
    const world = new World(createStub().setup);
    await world.start();
    await expect(world.account('bob', { admin: true })).resolves.toMatch(/^@bob-\d+:stub$/);
    await world.close();
  });

  it('passes its options on, settles, restarts and closes', async () => {
    const { setup, log } = createStub();
    const world = new World(setup, { config: { a: 1 } });
    await world.start();
    await world.whenIdle();
    await world.restart({ config: { b: 2 } });
    await world.restart();
    await world.close();
    expect(log).toEqual([
      'start {"config":{"a":1}}',
      'whenIdle',
      'restart {"config":{"b":2}}',
      'restart {"config":{"a":1}}',
      'close',
    ]);
  });

  it('cannot be used before it runs', () => {
    expect(() => new World(createStub().setup).serverName).toThrow('not running');
  });
});
