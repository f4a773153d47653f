import { createMetrics } from '@steward/telemetry';
import { sendHttp } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { serveProbes } from './serve-probes.ts';

const TOKEN = 'a token for the scraper';

/** Starts probes, and returns the status of a request to them. */
async function start(metricsToken?: string) {
  const host = '127.0.0.1';
  const healthy = async () => true;
  const probes = await serveProbes({
    host,
    port: 0,
    metrics: createMetrics({ program: 'steward', release: '1.0.0' }),
    metricsToken,
    healthy,
  });
  onTestFinished(() => probes.close());
  return async (path: string, token?: string) =>
    (await sendHttp(`http://${host}:${probes.port}`, 'GET', path, token === undefined ? {} : { token }))
      .status;
}

it('serves health and metrics', async () => {
  const get = await start();
  expect([await get('/health'), await get('/metrics'), await get('/')]).toEqual([200, 200, 404]);
});

it('requires the token for metrics, if one is configured', async () => {
  const get = await start(TOKEN);
  expect([await get('/metrics', TOKEN), await get('/metrics'), await get('/metrics', 'other')]).toEqual([
    200, 401, 401,
  ]);
  expect(await get('/health')).toBe(200);
});
