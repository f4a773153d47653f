import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMeters } from './create-meters.ts';

function create() {
  const registry = new Registry();
  return { meters: createMeters(registry), text: () => registry.metrics() };
}

it('begins the series of closed lists of labels at 0, and adds to them', async () => {
  const { meters, text } = create();
  const refusals = meters.counter('steward_auth_refusals_total');
  expect(await text()).toContain('steward_auth_refusals_total{reason="locked_account"} 0');
  refusals.add({ reason: 'locked_account' });
  meters.counter('steward_auth_refusals_total').add({ reason: 'locked_account' }, 2);
  expect(await text()).toContain('steward_auth_refusals_total{reason="locked_account"} 3');
});

it('shows the distribution of values by labels', async () => {
  const { meters, text } = create();
  const durations = meters.distribution('steward_http_request_duration_seconds');
  const labels = { route: '/_service/admin/v2/users/{user_id}', verb: 'GET', status: 200 };
  durations.observe(labels, 0.004);
  durations.of(labels)(0.4);
  const series = 'route="/_service/admin/v2/users/{user_id}",verb="GET",status="200"';
  expect(await text()).toContain(`steward_http_request_duration_seconds_bucket{le="0.005",${series}} 1`);
  expect(await text()).toContain(`steward_http_request_duration_seconds_count{${series}} 2`);
  expect(await text()).toContain(`steward_http_request_duration_seconds_sum{${series}} 0.404`);
});

it('adds up what several parts of a process report of a gauge, and leaves out what cannot be read', async () => {
  const { meters, text } = create();
  const gauge = 'steward_outbox_entries';
  let isAway = false;
  meters.gauge('steward_dead_letters').from(async () => {
    if (isAway) throw new Error('The broker is away');
    return [{ labels: {}, value: 3 }];
  });
  meters.gauge(gauge).from(() => [{ labels: { service: 'user' }, value: 1 }]);
  meters.gauge(gauge).from(async () => {
    if (isAway) throw new Error('The store is away');
    return [{ labels: { service: 'room' }, value: 2 }];
  });
  expect(await text()).toContain(`${gauge}{service="user"} 1\n${gauge}{service="room"} 2`);
  expect(await text()).toContain('steward_dead_letters 3');
  expect(await text()).toContain(`steward_metrics_read_failures_total{metric="${gauge}"} 0`);
  isAway = true;
  const away = await text();
  expect(away).toContain(`${gauge}{service="user"} 1`);
  expect(away).not.toContain('service="room"');
  expect(away).not.toMatch(/^steward_dead_letters/m);
  expect(await text()).toContain(`steward_metrics_read_failures_total{metric="${gauge}"} 1`);
});
