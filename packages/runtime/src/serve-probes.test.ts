import { createMetrics, noMeters } from '@steward/telemetry';
import { sendHttp } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createReadiness } from './readiness/readiness.ts';
import { serveProbes } from './serve-probes.ts';

const TOKEN = 'a token for the scraper';

/** Starts probes, and returns the status of a request to them. */
async function start(metricsToken?: string) {
  const host = '127.0.0.1';
  const readiness = createReadiness(noMeters);
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const probes = await serveProbes({ host, port: 0, metrics, metricsToken, readiness });
  onTestFinished(() => probes.close());
  return {
    readiness,
    get: async (path: string, token?: string) =>
      (await sendHttp(`http://${host}:${probes.port}`, 'GET', path, token === undefined ? {} : { token }))
        .status,
  };
}

it('serves health, liveness, readiness and metrics', async () => {
  const { readiness, get } = await start();
  const all = async () => Promise.all(['/health', '/health/live', '/health/ready'].map((path) => get(path)));
  expect(await all()).toEqual([503, 200, 503]);
  readiness.serve([]);
  expect(await all()).toEqual([200, 200, 200]);
  readiness.drain();
  expect(await all()).toEqual([503, 200, 503]);
  expect([await get('/metrics'), await get('/'), await get('/health/other')]).toEqual([200, 404, 404]);
});

it('requires the token for metrics, if one is configured', async () => {
  const { get } = await start(TOKEN);
  expect([await get('/metrics', TOKEN), await get('/metrics'), await get('/metrics', 'other')]).toEqual([
    200, 401, 401,
  ]);
  expect(await get('/health/live')).toBe(200);
});
