import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createRouterTransport } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { createMetrics } from '@steward/telemetry';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeGracefully } from '../close-gracefully.ts';
import { sendError } from '../transcode.ts';
import { KnownTokens } from './known-tokens.ts';
import { limitAdmission } from './limit-admission.ts';

/** The limits of the tests. */
const LIMITS = {
  max_requests: 8,
  reserved_for_administrators: 2,
  max_requests_per_user: 2,
  max_requests_per_address: 2,
  max_long_polls: 5,
  max_long_polls_per_user: 3,
  max_connections: 100,
  max_idle_connections_per_address: 5,
};

const MIB = 1024 * 1024;

/** The requests that may wait for the two that one caller may have in progress. */
const QUEUED = 8;

/** A server whose `/held`, `/kept` and `/wait` are answered when `release` is called. */
async function start(limits: Partial<typeof LIMITS> = {}, { connectionTimeout = 0 } = {}) {
  const app = fastify({ connectionTimeout, return503OnClosing: false, bodyLimit: 16 * MIB });
  closeGracefully(app);
  const tokens = new KnownTokens();
  for (const name of ['alice', 'bob', 'carol', 'dave']) tokens.add(name, { userId: name, admin: false });
  tokens.add('admin', { userId: 'admin', admin: true });
  const lookedUp: string[] = [];
  const sessions = createRouterTransport(({ service }) => {
    service(SessionService, {
      authenticate({ accessToken, allowLocked }) {
        lookedUp.push(accessToken);
        if (!accessToken.startsWith('fresh-')) throw refuse.unknownToken('Unknown access token');
        if (accessToken.endsWith('-locked') && !allowLocked) throw refuse.userLocked('Locked');
        return { userId: accessToken, owner: accessToken, admin: accessToken.startsWith('fresh-admin') };
      },
    });
  });
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const { admission } = loadConfig({
    env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ admission: { ...LIMITS, ...limits } }) },
    readFile: () => '',
  });
  const release = limitAdmission(app, { limits: admission, tokens, sessions, metrics });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    release(request);
    return sendError(reply.header('connection', 'close'), error);
  });
  const released = Promise.withResolvers<void>();
  let running = 0;
  /** The value of a series, by what its line begins with and contains. */
  const gauge = async (start: string, part = '') => {
    const lines = (await metrics.render()).split('\n');
    const line = lines.find((each) => each.startsWith(start) && each.includes(part));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  const held = async () => {
    running++;
    await released.promise;
    return {};
  };
  for (const path of ['/held', '/kept']) app.get(path, held);
  app.get('/wait', { config: { longPoll: true }, handler: held });
  app.get('/now', async () => ({}));
  app.post('/now', async () => ({}));
  app.get('/health', { config: { alwaysAdmitted: true }, handler: async () => ({}) });
  for (const path of ['/big', '/large']) {
    app.get(path, async (request, reply) => {
      if (!request.url.endsWith('?now')) await held();
      return reply.send(Buffer.alloc(20 * MIB));
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    released.resolve();
    for (const socket of sockets) socket.destroy();
    await app.close();
  });
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return {
    app,
    open,
    release: released.resolve,
    lookedUp,
    running: () => running,
    /** Sends a head, and what follows it, and returns the socket. */
    send(verb: string, path: string, { token = '', rest = '\r\n' } = {}): Socket {
      const socket = open();
      const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
      socket.write(`${verb} ${path} HTTP/1.1\r\nHost: test\r\n${authorization}${rest}`);
      return socket;
    },
    connections: () => gauge('steward_http_connections '),
    gauge: (name: string, label: string) => gauge(`${name}{`, `"${label}"`),
  };
}

/** The status of the answer on a socket. */
async function status(socket: Socket): Promise<number> {
  const [chunk] = await once(socket, 'data');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('requests in progress', () => {
  it('wait beyond the limit of their caller, are refused with 429 beyond its queue, and end in order', async () => {
    const server = await start();
    const held = times(2, () => server.send('GET', '/held', { token: 'alice' }));
    await expect.poll(server.running).toBe(2);
    const queued = times(QUEUED, () => server.send('GET', '/now', { token: 'alice' }));
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(QUEUED);
    const refused = server.send('GET', '/now', { token: 'alice' });
    const [chunk] = await once(refused, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n[\s\S]*M_LIMIT_EXCEEDED/);
    expect(await status(server.send('GET', '/now', { token: 'bob' }))).toBe(200);
    const answers = [...held, ...queued].map(status);
    server.release();
    expect(await Promise.all(answers)).toEqual(times(2 + QUEUED, () => 200));
    expect(await server.gauge('steward_http_requests', 'working')).toBe(0);
  });

  it('requests in progress are answered before the server closes, also those that wait', async () => {
    const server = await start();
    const held = times(2, () => server.send('GET', '/held', { token: 'alice' }));
    await expect.poll(server.running).toBe(2);
    const queued = server.send('GET', '/now', { token: 'alice' });
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(1);
    const closed = server.app.close();
    await expect.poll(() => server.app.server.listening).toBe(false);
    const answers = [...held, queued].map(status);
    server.release();
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
    await closed;
  });

  it('leave the queue when their client disconnects', async () => {
    const server = await start();
    times(2, () => server.send('GET', '/held', { token: 'alice' }));
    await expect.poll(server.running).toBe(2);
    const queued = times(QUEUED, () => server.send('GET', '/now', { token: 'alice' }));
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(QUEUED);
    for (const socket of queued) socket.destroy();
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(0);
  });

  it('keep some for administrators, and every place to /health', async () => {
    const server = await start();
    for (const token of ['alice', 'bob', 'carol']) times(2, () => server.send('GET', '/held', { token }));
    await expect.poll(server.running).toBe(6);
    const dave = server.send('GET', '/now', { token: 'dave' });
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(1);
    times(2, () => server.send('GET', '/held', { token: 'admin' }));
    await expect.poll(server.running).toBe(8);
    expect(await status(server.send('GET', '/health'))).toBe(200);
    const answer = status(dave);
    server.release();
    expect(await answer).toBe(200);
  });

  it('without a known token count for their address, unless a look-up names their account', async () => {
    const server = await start();
    for (const path of ['/held', '/kept']) server.send('GET', path, { token: 'unknown' });
    await expect.poll(server.running).toBe(2);
    expect(server.lookedUp).toEqual([]);
    const queued = times(QUEUED, () => server.send('GET', '/now'));
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(QUEUED);
    expect(await status(server.send('GET', '/now', { token: 'unknown' }))).toBe(429);
    expect(await status(server.send('GET', '/now', { token: 'fresh-admin-locked' }))).toBe(429);
    expect(await status(server.send('GET', '/now', { token: 'fresh-admin' }))).toBe(200);
    expect(await status(server.send('GET', '/now', { token: 'fresh-admin' }))).toBe(200);
    expect(server.lookedUp).toEqual(['unknown', 'fresh-admin-locked', 'fresh-admin']);
    const answers = queued.map(status);
    server.release();
    await Promise.all(answers);
  });
});

describe('long polls', () => {
  it('have limits of their own, for each caller and for all', async () => {
    const server = await start();
    times(3, () => server.send('GET', '/wait', { token: 'alice' }));
    await expect.poll(server.running).toBe(3);
    expect(await status(server.send('GET', '/wait', { token: 'alice' }))).toBe(429);
    expect(await status(server.send('GET', '/now', { token: 'alice' }))).toBe(200);
    times(2, () => server.send('GET', '/wait', { token: 'bob' }));
    await expect.poll(server.running).toBe(5);
    const refused = server.send('GET', '/wait', { token: 'carol' });
    const [chunk] = await once(refused, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n/);
  });
});

describe('bodies', () => {
  /** More than the bodies that one caller may send at once. */
  const MANY = 70;

  it('bodies that do not arrive take neither the places of others nor memory', async () => {
    const server = await start();
    const rest = 'Content-Length: 13000000\r\n\r\n{';
    times(MANY, () => server.send('POST', '/now', { token: 'alice', rest }));
    await expect.poll(() => server.gauge('steward_http_requests', 'receiving')).toBe(64);
    expect(await server.gauge('steward_http_buffered_bytes', 'body')).toBe(64);
    expect(await status(server.send('GET', '/now', { token: 'alice' }))).toBe(200);
    const write = { token: 'bob', rest: 'Content-Length: 2\r\n\r\n{}' };
    expect(await status(server.send('POST', '/now', write))).toBe(200);
    expect(await status(server.send('POST', '/now', { ...write, token: 'alice' }))).toBe(200);
    expect(await status(server.send('GET', '/health'))).toBe(200);
  });
});

describe('answers', () => {
  it('answers that a client does not read make the server refuse its further requests; the oldest are cut', async () => {
    const server = await start({ max_requests_per_user: 4 });
    const unread = [];
    for (let n = 1; n <= 4; n++) {
      // Two of each route, because it is not known how large they are.
      unread.push(server.send('GET', n <= 2 ? '/big' : '/large', { token: 'alice' }).pause());
      await expect.poll(server.running).toBe(n);
    }
    server.release();
    // The fourth answer exceeds what all callers may leave unread.
    await expect.poll(() => server.gauge('steward_admission_refusals_total', 'unread_answers')).toBe(1);
    expect(await server.gauge('steward_http_buffered_bytes', 'answer')).toBe(3 * 20 * MIB);
    expect(await status(server.send('GET', '/now', { token: 'alice' }))).toBe(429);
    expect(await status(server.send('GET', '/now', { token: 'bob' }))).toBe(200);
    for (const socket of unread) socket.destroy();
    await expect.poll(() => server.gauge('steward_http_buffered_bytes', 'answer')).toBe(0);
    expect(await status(server.send('GET', '/now', { token: 'alice' }))).toBe(200);
  });

  it('answers that a client does not read at all are cut, unlike requests that take as long', async () => {
    const server = await start({}, { connectionTimeout: 100 });
    const poll = server.send('GET', '/wait', { token: 'alice' });
    await expect.poll(server.running).toBe(1);
    const big = server.send('GET', '/big?now', { token: 'alice' }).pause();
    await expect.poll(() => server.gauge('steward_admission_refusals_total', 'stalled')).toBe(1);
    await expect.poll(() => server.gauge('steward_http_buffered_bytes', 'answer')).toBe(0);
    big.destroy();
    const answer = status(poll);
    server.release();
    expect(await answer).toBe(200);
  });
});

describe('connections', () => {
  it('connections that wait for another request close in the order of their last one', async () => {
    const server = await start();
    const kept: Socket[] = [];
    for (let n = 0; n < 5; n++) {
      const socket = server.send('GET', '/now', { token: 'alice' });
      expect(await status(socket)).toBe(200);
      kept.push(socket);
    }
    const [first, second] = kept as [Socket, Socket];
    first.write('GET /now HTTP/1.1\r\nHost: test\r\n\r\n');
    expect(await status(first)).toBe(200);
    const closed = once(second, 'close');
    expect(await status(server.send('GET', '/now', { token: 'alice' }))).toBe(200);
    await closed;
    expect(kept.map((socket) => socket.destroyed)).toEqual([false, true, false, false, false]);
  });

  it('close when a client pipelines too many requests', async () => {
    const server = await start();
    const socket = server.send('GET', '/held', { token: 'alice' });
    await expect.poll(server.running).toBe(1);
    socket.write('GET /now HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(100));
    await once(socket, 'close');
    await expect.poll(() => server.gauge('steward_http_requests', 'queued')).toBe(0);
  });
});

/** Random numbers from 0 to 1, the same in each run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('requests that end in any way', () => {
  const GAUGES = [
    ['steward_http_requests', 'receiving'],
    ['steward_http_requests', 'queued'],
    ['steward_http_requests', 'working'],
    ['steward_http_requests', 'long_poll'],
    ['steward_http_buffered_bytes', 'body'],
    ['steward_http_buffered_bytes', 'answer'],
  ] as const;
  const TOKENS = ['', 'alice', 'bob', 'admin', 'unknown', 'fresh-user', 'fresh-admin'];
  const PATHS = ['/held', '/held', '/wait', '/now', '/big', '/big?now', '/missing', '/health'];
  const VERBS = ['GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'BREW'];
  const ENDS = ['', '', 'Content-Length: 2\r\n', 'Content-Length: 900\r\n', 'Transfer-Encoding: chunked\r\n'];
  const EXTRAS = ['', '', 'Connection: close\r\n', 'Connection: upgrade\r\nUpgrade: x\r\n', 'Expect: y\r\n'];

  it.for([1, 2, 3, 4])('leave nothing counted (%i)', async (seed) => {
    const server = await start({}, { connectionTimeout: 60_000 });
    const random = pseudoRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const request = () => {
      const token = pick(TOKENS);
      const authorization = token === '' ? '' : `Authorization: Bearer ${token}\r\n`;
      const head = `${pick(VERBS)} ${pick(PATHS)} HTTP/1.1\r\nHost: test\r\n`;
      return `${head}${authorization}${pick(ENDS)}${pick(EXTRAS)}\r\n${pick(['', '{}', '2\r\n{}\r\n0\r\n\r\n'])}`;
    };
    const sockets: Socket[] = [];
    for (let n = 0; n < 300; n++) {
      const socket = random() < 0.6 || sockets.length === 0 ? server.open() : pick(sockets);
      sockets.push(socket);
      if (random() < 0.9) socket.resume();
      if (!socket.destroyed && socket.writable) socket.write(times(pick([1, 1, 1, 8, 80]), request).join(''));
      if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
      if (random() < 0.2) pick(sockets).destroy();
      if (random() < 0.1) pick(sockets).end();
      if (random() < 0.05) pick(sockets).resetAndDestroy();
      if (n === 200) server.release();
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(server.connections).toBe(0);
    const counts = () => Promise.all(GAUGES.map(([name, label]) => server.gauge(name, label)));
    await expect.poll(counts, { timeout: 10_000 }).toEqual(GAUGES.map(() => 0));
    // What one caller may have in progress is complete.
    for (const token of ['alice', 'bob', 'fresh-user']) {
      const answers = times(2 + QUEUED, () => server.send('GET', '/now', { token })).map(status);
      expect(await Promise.all(answers)).toEqual(times(2 + QUEUED, () => 200));
    }
  });
});
