import { createRouterTransport } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { createLogger, createMetrics } from '@steward/telemetry';
import { expect, it, onTestFinished } from 'vitest';
import { createGateway } from './server.ts';

it('a start is not given up, however long it takes', async () => {
  const gateway = await createGateway({
    config: loadConfig({ env: {} }),
    logger: createLogger({ level: 'silent', name: 'test' }),
    random: systemRandom,
    metrics: createMetrics(),
    transportOf: () => createRouterTransport(() => {}),
    healthy: async () => true,
  });
  onTestFinished(() => gateway.close());
  expect(gateway.initialConfig.pluginTimeout).toBe(0);
});
