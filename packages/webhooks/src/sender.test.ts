import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemClock } from '@steward/kernel';
import { createAuthority, createFakeClock } from '@steward/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseAddressRules } from './address-rules.ts';
import { createSender, type SenderOptions } from './sender.ts';

const LOOPBACK = parseAddressRules(['127.0.0.1']);
const BODY = JSON.stringify({ type: 'user.created', name: 'Zoë 🦊' });

/** Long enough for a busy machine: no test waits for it. */
const LONG_MS = 60_000;
const SHORT_MS = 50;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server on a port of 127.0.0.1, which it returns. */
async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

/** A sender to 127.0.0.1, to which every host name resolves. */
const senderWith = (options: Partial<SenderOptions> = {}) =>
  createSender({
    rules: LOOPBACK,
    timeoutMs: LONG_MS,
    release: '1.2.3',
    clock: systemClock,
    resolve: async () => ['127.0.0.1'],
    ...options,
  });

const post = (url: string, options: Partial<SenderOptions> = {}) =>
  senderWith(options).post({ url, headers: { 'webhook-id': 'a' }, body: BODY });

describe('a request', () => {
  it('has the method, the body and the headers of the caller, and the name of the host', async () => {
    const requests: unknown[] = [];
    const port = await serve(async (request, response) => {
      const chunks = await request.toArray();
      const { method, url, headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
    expect(await post(`http://Bücher.example.:${port}/hook%20a?b=ü`)).toMatchObject({
      kind: 'answered',
      status: 204,
    });
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/hook%20a?b=%C3%BC',
        headers: {
          host: `xn--bcher-kva.example.:${port}`,
          'webhook-id': 'a',
          'content-length': String(Buffer.byteLength(BODY)),
          'user-agent': 'steward/1.2.3',
          'accept-encoding': 'identity',
          connection: 'close',
        },
        body: BODY,
      },
    ]);
  });

  it('tells the status, the body, the time it took, and what Retry-After says', async () => {
    const clock = createFakeClock();
    const port = await serve((_request, response) => {
      clock.advance(7);
      response.writeHead(503, { 'retry-after': '120' }).end('{"later":true}');
    });
    expect(await post(`http://a.example:${port}/`, { clock })).toEqual({
      kind: 'answered',
      status: 503,
      retryAfterMs: 120_000,
      body: '{"later":true}',
      durationMs: 7,
    });
  });

  it('fails without sending what cannot be a header, and does not repeat it', async () => {
    const sender = senderWith();
    const outcome = await sender.post({
      url: 'http://a.example/',
      headers: { a: 'secret\r\nb: c' },
      body: '',
    });
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'protocol',
      detail: 'The request cannot be sent',
    });
  });
});

describe('the addresses', () => {
  it.each([
    { addresses: ['10.0.0.1'] },
    { addresses: ['127.0.0.1', '169.254.169.254'] },
    { addresses: ['127.0.0.1', '::1'] },
    { addresses: ['::ffff:127.0.0.1'] },
    { addresses: ['no address'] },
  ])('$addresses are refused as a whole', async ({ addresses }) => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests++;
      response.end();
    });
    const outcome = await post(`http://a.example:${port}/`, { resolve: async () => addresses });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'refused_address' });
    expect(JSON.stringify(outcome)).not.toContain(addresses.at(-1));
    expect(requests).toBe(0);
  });

  it('the addresses are those that were checked: one look-up for each request, and no connection of an earlier one', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']];
    let connections = 0;
    const server = createServer((_request, response) => void response.end());
    server.on('connection', () => connections++);
    const port = await listen(server);
    const sender = senderWith({ resolve: async () => answers.shift() ?? ['169.254.169.254'] });
    const request = { url: `http://rebinding.example:${port}/`, headers: {}, body: BODY };
    expect(await sender.post(request)).toMatchObject({ status: 200 });
    expect(await sender.post(request)).toMatchObject({ reason: 'refused_address' });
    expect(await sender.post(request)).toMatchObject({ status: 200 });
    expect(await sender.post(request)).toMatchObject({ reason: 'refused_address' });
    expect(connections).toBe(2);
  });

  it('of a URL are checked again, because the settings may have changed', async () => {
    expect(await post('http://10.0.0.1/')).toMatchObject({ kind: 'failed', reason: 'refused_address' });
    expect(await post('http://a@a.example/')).toMatchObject({
      reason: 'refused_address',
      detail: 'The URL must not contain a user name or password',
    });
  });

  it('the addresses are tried one after another', async () => {
    const port = await serve((_request, response) => void response.end());
    const rules = parseAddressRules(['127.0.0.0/8', '::1']);
    expect(
      await post(`http://a.example:${port}/`, {
        rules,
        resolve: async () => ['127.0.0.2', '::1', '127.0.0.1'],
      }),
    ).toMatchObject({ status: 200 });
  });

  it('of a permitted name are those that the machine finds, wherever they are', async () => {
    const port = await serve((_request, response) => void response.end());
    const resolve = () => expect.unreachable();
    const rules = parseAddressRules(['localhost']);
    expect(await post(`http://localhost:${port}/`, { rules, resolve })).toMatchObject({ status: 200 });
  });

  it.each([
    ['no address', 'The host has no address', async () => []],
    ['an unknown name', 'The host has no address', async () => Promise.reject({ code: 'ENOTFOUND' })],
    ['no name server', 'The name servers do not answer', async () => Promise.reject({ code: 'ETIMEOUT' })],
  ])('with %s are an outcome', async (_, detail, resolve) => {
    expect(await post('http://a.example/', { resolve })).toMatchObject({
      kind: 'failed',
      reason: 'dns',
      detail,
    });
  });
});

describe('an answer', () => {
  it.each([300, 301, 302, 303, 304, 307, 308, 399])('with the redirect %i is refused', async (status) => {
    const paths: unknown[] = [];
    const port = await serve(({ url }, response) => {
      paths.push(url);
      response.writeHead(status, { location: 'http://127.0.0.1/inside' }).end();
    });
    expect(await post(`http://a.example:${port}/hook`)).toMatchObject({
      kind: 'failed',
      reason: 'redirect',
      detail: `Status ${status}: redirects are not followed`,
    });
    expect(paths).toEqual(['/hook']);
  });

  it('counts with its status when its body is endless, after a bounded part of it', async () => {
    let bytes = 0;
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.once('close', close);
      const fill = (to: ServerResponse) => {
        while (to.write(Buffer.alloc(16_384))) bytes += 16_384;
        to.once('drain', () => fill(to));
      };
      fill(response);
    });
    expect(await post(`http://a.example:${port}/`)).toMatchObject({ kind: 'answered', status: 200 });
    await closed;
    // What the sockets of the kernel hold, too
    expect(bytes).toBeLessThan(64 * 1_024 * 1_024);
  });

  it.each([
    ['breaks', (response: ServerResponse) => response.write('a', () => response.destroy())],
    ['is compressed wrongly', (response: ServerResponse) => response.end('no gzip')],
  ])('counts with its status when its body %s', async (_, answer) => {
    const port = await serve((_request, response) => {
      response.writeHead(410, { 'content-encoding': 'gzip' });
      answer(response);
    });
    expect(await post(`http://a.example:${port}/`)).toMatchObject({ kind: 'answered', status: 410 });
  });

  it('counts with its status when its time ends before its body', async () => {
    const port = await serve((_request, response) => void response.writeHead(410).write('a'));
    const ending = new AbortController();
    // Emitted when the headers of an answer arrive, before they are read.
    const headers = 'http.client.response.finish';
    const end = () => setImmediate(() => ending.abort());
    subscribe(headers, end);
    onTestFinished(() => void unsubscribe(headers, end));
    const request = { url: `http://a.example:${port}/`, headers: {}, body: '', signal: ending.signal };
    expect(await senderWith().post(request)).toMatchObject({ kind: 'answered', status: 410 });
  });

  it.each([
    ['has large headers', `HTTP/1.1 200 OK\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    [
      'switches the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n',
    ],
  ])('an answer is a failure when it %s', async (_, text) => {
    const port = await serve(({ socket }) => void socket.write(text));
    expect(await post(`http://a.example:${port}/`)).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  it('an answer is a failure when the connection breaks, or when there is none', async () => {
    const port = await serve(({ socket }) => void socket.destroy());
    expect(await post(`http://a.example:${port}/`)).toMatchObject({ kind: 'failed', reason: 'connect' });
    servers.pop()?.close();
    expect(await post(`http://a.example:${port}/`)).toMatchObject({
      reason: 'connect',
      detail: 'No connection, or it ended before the answer (ECONNREFUSED)',
    });
  });
});

describe('the time', () => {
  it.each([
    ['the name servers do not answer', () => new Promise<string[]>(() => {}), () => {}],
    ['the receiver does not answer', async () => ['127.0.0.1'], () => {}],
    [
      'the receiver sends interim answers only',
      async () => ['127.0.0.1'],
      (response: ServerResponse) => {
        const more = setInterval(() => response.writeEarlyHints({ link: '</a>' }), 1);
        response.once('close', () => clearInterval(more));
      },
    ],
  ])('ends a request when %s', async (_, resolve, answer) => {
    const port = await serve((_request, response) => void answer(response));
    expect(await post(`http://a.example:${port}/`, { timeoutMs: SHORT_MS, resolve })).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      detail: 'No answer within 50 ms',
    });
  });

  it('of a request ends with its signal', async () => {
    const ending = new AbortController();
    const port = await serve(() => ending.abort());
    const url = `http://a.example:${port}/`;
    const sender = senderWith();
    const request = { url, headers: {}, body: '', signal: ending.signal };
    expect(await sender.post(request)).toMatchObject({ kind: 'failed', reason: 'aborted' });
    expect(await sender.post(request)).toMatchObject({ kind: 'failed', reason: 'aborted' });
  });

  it('of all requests ends when the sender is closed', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const port = await serve(() => arrive());
    const sender = senderWith();
    const request = { url: `http://a.example:${port}/`, headers: {}, body: '' };
    const outcome = sender.post(request);
    await arrived;
    await sender.close();
    expect(await outcome).toMatchObject({ kind: 'failed', reason: 'aborted' });
    expect(await sender.post(request)).toMatchObject({ kind: 'failed', reason: 'aborted' });
  });
});

describe('TLS', () => {
  /** Starts a server with a certificate for hosts, of an authority that is trusted until the test ends or not at all. */
  async function serveTls(hosts: readonly string[], { trusted }: { readonly trusted: boolean }) {
    const authority = await createAuthority();
    const { certificate, key } = await authority.issue(hosts);
    if (trusted) {
      const before = getCACertificates('default');
      setDefaultCACertificates([...before, readFileSync(authority.file, 'utf8')]);
      onTestFinished(() => setDefaultCACertificates(before));
    }
    const names: unknown[] = [];
    const server = createTlsServer(
      { cert: readFileSync(certificate), key: readFileSync(key) },
      (_, response) => {
        response.end();
      },
    );
    server.on('secureConnection', (socket) => names.push(socket.servername));
    return { port: await listen(server), names };
  }

  it('checks the certificate against the name, which it tells the server', async () => {
    const { port, names } = await serveTls(['a.example'], { trusted: true });
    expect(await post(`https://a.example.:${port}/`)).toMatchObject({ kind: 'answered', status: 200 });
    expect(names).toEqual(['a.example']);
    expect(await post(`https://b.example:${port}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  it('accepts a certificate for an address', async () => {
    const { port } = await serveTls(['127.0.0.1'], { trusted: true });
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('refuses unknown authorities, and servers without TLS', async () => {
    const { port } = await serveTls(['a.example'], { trusted: false });
    expect(await post(`https://a.example:${port}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
    const plain = await serve((_request, response) => void response.end());
    expect(await post(`https://a.example:${plain}/`)).toMatchObject({ kind: 'failed', reason: 'tls' });
  });
});
