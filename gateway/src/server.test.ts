import { createRouterTransport, type Transport } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { systemClock, systemRandom } from '@steward/kernel';
import { headers } from '@steward/rpc';
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

it('passes no header of a client on under a name that services believe', async () => {
  const passed: string[] = [];
  const gateway = await startGateway({
    unary: async (_method, _signal, _timeoutMs, header) => {
      passed.push(...new Headers(header).values());
      throw refuse.notFound('not found');
    },
    stream: async () => {
      throw refuse.notFound('not found');
    },
  });
  const names = [...Object.values(headers), 'steward-requester'];
  const stated = Object.fromEntries(names.map((name) => [name, 'stated by the client']));
  const url = '/_service/admin/v2/users/@a:test?access_token=t';
  const answer = await gateway.inject({ url, headers: stated });
  expect(answer.statusCode).toBe(404);
  expect(passed).not.toEqual([]);
  expect(passed).not.toContain('stated by the client');
});
