import { expect, it } from 'vitest';
import { createMetrics } from './create-metrics.ts';

it('counts requests by route template, verb and status', async () => {
  const metrics = createMetrics();
  const request = { route: '/_service/admin/v2/users/{user_id}', verb: 'GET', status: 200 };
  metrics.observeRequest({ ...request, durationMs: 4 });
  metrics.observeRequest({ ...request, durationMs: 400 });
  const text = await metrics.render();
  const labels = 'route="/_service/admin/v2/users/{user_id}",verb="GET",status="200"';
  expect(text).toContain(`steward_http_request_duration_seconds_bucket{le="0.005",${labels}} 1`);
  expect(text).toContain(`steward_http_request_duration_seconds_count{${labels}} 2`);
  expect(text).toContain(`steward_http_request_duration_seconds_sum{${labels}} 0.404`);
});

it('counts calls by service, method and code', async () => {
  const metrics = createMetrics();
  metrics.observeCall({
    service: 'steward.user.v1.DeviceService',
    method: 'ListDevices',
    code: 'not_found',
    durationMs: 1,
  });
  expect(await metrics.render()).toContain(
    'steward_rpc_duration_seconds_count{service="steward.user.v1.DeviceService",method="ListDevices",code="not_found"} 1',
  );
});

it('includes those of the process, in a separate registry', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.observeRequest({ route: '/a', verb: 'GET', status: 200, durationMs: 1 });
  expect(await one.render()).toContain('process_resident_memory_bytes');
  expect(await other.render()).not.toContain('route="/a"');
  expect(one.registry.contentType).toMatch(/^text\/plain; version=/);
});
