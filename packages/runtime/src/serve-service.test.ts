import { loadConfig } from '@steward/config';
import { randomId, systemRandom } from '@steward/kernel';
import { nobodyPrivileged } from '@steward/rpc/testing';
import { createLogger, createMetrics } from '@steward/telemetry';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { expect, it } from 'vitest';
import type { Engines } from './engines.ts';
import { serveService } from './serve-service.ts';

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

it.skipIf(!mongo.url || !nats.url)(
  `closes the engines when the service fails to close (${mongo.title}, ${nats.title})`,
  { timeout: 60_000 },
  async () => {
    const store = new URL(withLongTimeouts(mongo.url ?? ''));
    store.pathname = `/steward_test_${randomId(systemRandom)}`;
    const config = loadConfig({
      env: {
        STEWARD_STORE: store.href,
        STEWARD_NATS_URL: nats.url,
        STEWARD_INTERNAL_CREDENTIAL: randomId(systemRandom, 32),
        STEWARD_HOST: '127.0.0.1',
        STEWARD_PORT: '0',
      },
    });
    const logger = createLogger({ name: 'test', ...config.logging, level: 'fatal' });
    const metrics = createMetrics({ program: 'test', release: '1.0.0' });
    const stuck = new Error('the service is stuck');
    const opened = Promise.withResolvers<Engines>();
    const running = await serveService({ name: 'test', config, logger, metrics }, async (engines) => {
      opened.resolve(engines);
      return {
        routes: [],
        kind: 'user',
        peers: {},
        authenticate: () => Promise.reject(new Error()),
        authority: nobodyPrivileged,
        close: () => Promise.reject(stuck),
      };
    });
    const engines = await opened.promise;
    expect(await engines.store.healthy()).toBe(true);
    await expect(running.close()).rejects.toBe(stuck);
    expect(await engines.store.healthy()).toBe(false);
  },
);
