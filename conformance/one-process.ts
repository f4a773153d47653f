import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAllInOne } from '@steward/all-in-one';
import { loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import type { Store } from '@steward/store';
import { createLogger, createMetrics, openTracing } from '@steward/telemetry';
import {
  createFakeClock,
  type FakeClock,
  type RunningSetup,
  type Setup,
  type SetupOptions,
} from '@steward/testing';
import { seedThrough } from './seed.ts';
import { WatchedQueries } from './watched-queries.ts';

/** All services in this process, on the embedded store, with a clock that only tests move. */
export const oneProcess: Setup = {
  name: 'one process on SQLite',
  async start(options) {
    const data = await mkdtemp(join(tmpdir(), 'steward-conformance-'));
    try {
      return await run(data, createFakeClock(), options);
    } catch (error) {
      await rm(data, { recursive: true, force: true });
      throw error;
    }
  },
};

async function run(data: string, clock: FakeClock, options: SetupOptions): Promise<RunningSetup> {
  const config = loadConfig({
    env: { STEWARD_CONFIG: 'base', STEWARD_CONFIG_OVERRIDES: JSON.stringify(options.config ?? {}) },
    // JSON is YAML as well.
    readFile: () =>
      JSON.stringify({
        server: { name: 'test', port: 0, data },
        store: { url: 'sqlite' },
        registration: { enabled: true, shared_secret: 'the shared secret' },
        rate_limits: { enabled: false },
        shadow_ban: { pause_min_ms: 0, pause_max_ms: 0 },
        logging: { level: 'error' },
      }),
  });
  const logger = createLogger({ name: 'steward', ...config.logging });
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const tracing = await openTracing({
    name: 'steward',
    serverName: config.server.name,
    release: '1.0.0',
    settings: config.telemetry.traces,
    logger,
    meters: metrics,
    random: systemRandom,
  });
  const queries = new WatchedQueries();
  const aroundStore = (store: Store) => queries.watch(store);
  const server = await startAllInOne({ config, clock, logger, metrics, tracing, aroundStore });
  const stop = async () => {
    await server.close();
    await tracing?.close();
  };
  return {
    url: server.url,
    serverName: config.server.name,
    sharedSecret: config.registration.shared_secret,
    whenIdle: () => server.whenIdle(),
    metrics: () => metrics.render(),
    seed: await seedThrough(server.store, async () => server.bus),
    moveClock: (ms) => clock.advance(ms),
    async restart(next) {
      await stop();
      return run(data, clock, next);
    },
    async close() {
      await stop();
      await rm(data, { recursive: true, force: true });
      queries.check();
    },
  };
}
