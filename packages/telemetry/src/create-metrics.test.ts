import { expect, it } from 'vitest';
import { createMetrics } from './create-metrics.ts';

const BUILD = { program: 'steward-user', release: '1.2.3' };

it('says what runs, and includes the metrics of the process in a registry of its own', async () => {
  const [one, other] = [createMetrics(BUILD), createMetrics(BUILD)];
  one.counter('steward_limits_quota_refusals_total').add({ quota: 'rooms' });
  const text = await one.render();
  expect(text).toContain(
    `steward_build_info{program="steward-user",release="1.2.3",runtime="${process.version}"} 1`,
  );
  expect(text).toContain('process_resident_memory_bytes');
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).toContain('quota="rooms"');
  expect(await other.render()).not.toContain('quota="rooms"');
  expect(one.contentType).toMatch(/^text\/plain; version=/);
});

it('names all metrics as Prometheus asks: counters, and only they, end with _total', async () => {
  const text = await createMetrics(BUILD).render();
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  expect(types.length).toBeGreaterThan(20);
  const misnamed = types.filter(
    ({ name, type }) =>
      name.endsWith('_total') !== (type === 'counter') ||
      (type === 'gauge' && /_(count|sum|bucket)$/.test(name)) ||
      /[A-Z:]|_(milliseconds|ms|kb|mb|minutes|hours)(_|$)/.test(name),
  );
  expect(misnamed).toEqual([]);
  for (const { name } of types) expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'));
});
