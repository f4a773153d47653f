import { type ContextValues, createRouterTransport, type Transport } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { systemClock, systemRandom } from '@steward/kernel';
import { headers, SPARSE_ANSWER } from '@steward/rpc';
import { createLogger, createMetrics } from '@steward/telemetry';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createGateway } from './server.ts';

async function startGateway(transport: Transport): Promise<FastifyInstance> {
  const gateway = await createGateway({
    config: loadConfig({ env: {} }),
    logger: createLogger({ level: 'silent', name: 'test' }),
    clock: systemClock,
    random: systemRandom,
    metrics: createMetrics(),
    transportOf: () => transport,
    healthy: async () => true,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

it('a start has no time limit', async () => {
  const gateway = await startGateway(createRouterTransport(() => {}));
  expect(gateway.initialConfig.pluginTimeout).toBe(0);
});

it('a connection may not be silent for long, in a head or with an answer that is not read', async () => {
  const { server } = await startGateway(createRouterTransport(() => {}));
  expect(server).toMatchObject({ timeout: 60_000, headersTimeout: 10_000 });
});

/** The calls of a gateway, each with its headers. */
async function recordCalls() {
  const calls: { readonly header: Headers; readonly hints: ContextValues | undefined }[] = [];
  const gateway = await startGateway({
    unary: async (_method, _signal, _timeoutMs, header, _message, hints) => {
      calls.push({ header: new Headers(header), hints });
      throw refuse.notFound('not found');
    },
    stream: async () => {
      throw refuse.notFound('not found');
    },
  });
  return { gateway, calls };
}

const USER = '/_service/admin/v2/users/@a:test?access_token=t';

it('starts a trace for a change, and continues that of a client for every request', async () => {
  const { gateway, calls } = await recordCalls();
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await gateway.inject({ url: USER });
  await gateway.inject({ url: USER, headers: { traceparent: trace } });
  await gateway.inject({ url: USER, method: 'PUT', payload: '{}' });
  const traces = calls.map(({ header }) => header.get(headers.traceparent));
  expect(traces).toEqual([null, trace, expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)]);
});

it('asks for no message where it only writes the answer', async () => {
  const { gateway, calls } = await recordCalls();
  await gateway.inject({ url: USER });
  expect(calls.map(({ hints }) => hints)).toEqual([SPARSE_ANSWER]);
});

it('passes no header of a client on under a name that services believe', async () => {
  const { gateway, calls } = await recordCalls();
  const names = [...Object.values(headers), 'steward-requester'];
  const stated = Object.fromEntries(names.map((name) => [name, 'stated by the client']));
  const answer = await gateway.inject({ url: USER, headers: stated });
  expect(answer.statusCode).toBe(404);
  const passed = calls.flatMap(({ header }) => [...header.values()]);
  expect(passed).not.toEqual([]);
  expect(passed).not.toContain('stated by the client');
});
