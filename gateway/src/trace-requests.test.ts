import { connect } from 'node:net';
import type { Span, SpanDescription, Tracing } from '@steward/kernel';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { traceRequests } from './trace-requests.ts';

/** A server whose requests are recorded; `log` says what happened to their spans, in order. */
async function start() {
  const log: unknown[] = [];
  const span: Span = {
    context: { traceparent: 'context of the request' },
    run: (work) => work(),
    set: (attributes) => log.push(attributes),
    fail: (type) => log.push(`failed: ${type}`),
    end: () => log.push('ended'),
  };
  const begin = (sent: unknown, describe: () => SpanDescription) => {
    log.push({ sent, ...describe() });
    return span;
  };
  const app = fastify({ genReqId: () => 'r1' });
  app.decorateRequest('span', undefined);
  app.decorateRequest('traceparent', undefined);
  app.decorateRequest('isCutOff', false);
  traceRequests(app, { begin } as Tracing);
  app.get('/probe', { config: { alwaysAdmitted: true } }, async () => 'up');
  app.get('/users/:user_id', async ({ traceparent }) => traceparent);
  app.get('/broken', async () => Promise.reject(new Error('broken')));
  app.get('/cut-off', (request, reply) => {
    reply.raw.writeHead(200, { 'content-length': 2 }).write('a');
    request.isCutOff = true;
    reply.raw.destroy();
    return reply.hijack();
  });
  app.get('/slow', () => new Promise(() => {}));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { url, log };
}

it('records a request by the template of its route, and not probes', async () => {
  const { url, log } = await start();
  await fetch(`${url}/probe`);
  const sent = { traceparent: 'a', tracestate: 'b' };
  const answer = await fetch(`${url}/users/@secret:test?access_token=secret`, { headers: sent });
  expect(await answer.text()).toBe('context of the request');
  await expect.poll(() => log).toContain('ended');
  const request = {
    'http.request.method': 'GET',
    'http.route': '/users/:user_id',
    'url.scheme': 'http',
    'steward.request_id': 'r1',
  };
  expect(log).toEqual([
    { sent, name: 'GET /users/:user_id', kind: 'server', attributes: request },
    { 'http.response.status_code': 200 },
    'ended',
  ]);
});

it('marks failures of the server', async () => {
  const { url, log } = await start();
  await (await fetch(`${url}/broken`)).text();
  await expect.poll(() => log).toContain('ended');
  expect(log.slice(1)).toEqual([{ 'http.response.status_code': 500 }, 'failed: 500', 'ended']);
});

it('marks answers that end early because the server failed', async () => {
  const { url, log } = await start();
  await expect(fetch(`${url}/cut-off`).then((answer) => answer.text())).rejects.toThrow();
  await expect.poll(() => log).toContain('ended');
  expect(log.slice(1)).toEqual([{ 'http.response.status_code': 200 }, 'failed: cut_off', 'ended']);
});

it('ends the span of a request whose client disconnects before the answer', async () => {
  const { url, log } = await start();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /slow HTTP/1.1\r\nhost: test\r\n\r\n');
  await expect.poll(() => log).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => log.slice(1)).toEqual(['ended']);
});
