import { loadConfig } from '@steward/config';
import { createLogger } from '@steward/telemetry';
import { expect, it } from 'vitest';
import { startAllInOne } from './service.ts';

const config = loadConfig({
  env: { STEWARD_SERVER_NAME: 'test', STEWARD_PORT: '0', STEWARD_MEDIA_STORE: 'file' },
});

it('closes the store when another part fails to close', async () => {
  const logger = createLogger({ name: 'test', ...config.logging, level: 'fatal' });
  const server = await startAllInOne({ config, inMemory: true, logger });
  const stuck = new Error('the bus is stuck');
  const { bus, store } = server;
  const close = bus.close.bind(bus);
  bus.close = async () => {
    await close();
    throw stuck;
  };
  expect(await store.healthy()).toBe(true);
  await expect(server.close()).rejects.toBe(stuck);
  expect(await store.healthy()).toBe(false);
  await expect(fetch(server.url)).rejects.toThrow();
});
