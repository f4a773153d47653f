import { createMetrics, type Metrics, noMeters } from '@steward/telemetry';
import { expect, it } from 'vitest';
import { answerProbe } from './answer-probe.ts';
import { type Check, createReadiness, type Need } from './readiness.ts';

/** The readiness of a process in which some of its needs are missing, and its answers to the probes. */
function process(missing: Partial<Record<Need, Check['without']>>, present: readonly Need[] = []) {
  const metrics: Metrics = createMetrics({ program: 'test', release: '1.0.0' });
  const readiness = createReadiness(metrics);
  readiness.serve([
    ...present.map((need) => ({ need, without: 'unready', passes: () => true }) as const),
    ...Object.entries(missing).map(([need, without], n) => ({
      need: need as Need,
      without,
      // A check that throws has failed, too.
      passes: () => (n === 0 ? Promise.reject(new Error('away')) : false),
    })),
  ]);
  return {
    readiness,
    metrics,
    answers: async () => [
      await answerProbe('/health', readiness),
      await answerProbe('/health/ready', readiness),
    ],
  };
}

const OK = { status: 200, body: { status: 'ok' } };

it.each([
  [{}, OK, OK],
  [{ broker: 'degraded' }, OK, { status: 200, body: { status: 'degraded', missing: ['broker'] } }],
  [
    { media: 'unhealthy', disk: 'degraded' },
    { status: 503, body: { status: 'unavailable', missing: ['media', 'disk'] } },
    { status: 200, body: { status: 'degraded', missing: ['media', 'disk'] } },
  ],
  [
    { store: 'unready' },
    { status: 503, body: { status: 'unavailable', missing: ['store'] } },
    { status: 503, body: { status: 'unavailable', missing: ['store'] } },
  ],
] as const)('without %j answers probes', async (missing, health, ready) => {
  expect(await process(missing, ['user']).answers()).toEqual([health, ready]);
});

it('a process is not ready before it serves, nor from the drain on, and lives all along', async () => {
  const readiness = createReadiness(noMeters);
  const ask = async () => [
    (await answerProbe('/health/ready', readiness)).body,
    (await answerProbe('/health', readiness)).body,
    (await answerProbe('/health/live', readiness)).status,
    await readiness.isReady(),
  ];
  expect(await ask()).toEqual([{ status: 'starting' }, { status: 'unavailable' }, 200, false]);
  readiness.serve([]);
  expect(await ask()).toEqual([{ status: 'ok' }, { status: 'ok' }, 200, true]);
  readiness.drain();
  expect(await ask()).toEqual([{ status: 'draining' }, { status: 'unavailable' }, 200, false]);
});

it('does not wait for a check that takes too long, and runs it once at a time', async () => {
  const late = Promise.withResolvers<void>();
  const check = Promise.withResolvers<boolean>();
  let runs = 0;
  const readiness = createReadiness(noMeters, () => late.promise);
  const passes = () => {
    runs++;
    return check.promise;
  };
  readiness.serve([{ need: 'store', without: 'unready', passes }]);
  const readers = [readiness.read(), readiness.read(), readiness.isReady()];
  late.resolve();
  const missing = { phase: 'serving', isReady: false, isHealthy: false, missing: ['store'] };
  expect(await Promise.all(readers)).toEqual([missing, missing, false]);
  expect(runs).toBe(1);
});

it('does not ask peers whether it is ready, because they ask it', async () => {
  const readiness = createReadiness(noMeters);
  const passes = () => Promise.reject(new Error('asked'));
  readiness.serve([{ need: 'user', without: 'degraded', passes }]);
  expect(await readiness.isReady()).toBe(true);
});

it('shows what is missing in the metrics', async () => {
  const { metrics } = process({ broker: 'degraded' }, ['store']);
  const text = await metrics.render();
  expect(text).toContain('steward_ready{check="store"} 1');
  expect(text).toContain('steward_ready{check="broker"} 0');
});
