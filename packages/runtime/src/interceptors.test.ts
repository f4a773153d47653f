import { createClient } from '@connectrpc/connect';
import type { AuditTrail } from '@steward/audit';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import type { IdempotencyKeys } from '@steward/idempotency';
import { systemClock } from '@steward/kernel';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { createLocalTransport, headers, orderedCalls, type Route, route } from '@steward/rpc';
import { nobodyPrivileged } from '@steward/rpc/testing';
import { Unavailable } from '@steward/store';
import { createLogger, createMetrics } from '@steward/telemetry';
import { expect, it } from 'vitest';
import { peerInterceptors, serverInterceptors } from './interceptors.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-00`;

/** A client of a method that does `work`, and what is observed of its calls. */
function observed(work: () => unknown, slowMs = 60_000) {
  const lines: string[] = [];
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const interceptors = peerInterceptors({
    config: loadConfig({
      env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ logging: { slow_ms: slowMs } }) },
    }),
    logger: createLogger({
      level: 'info',
      name: 'test',
      destination: { write: (line) => void lines.push(line) },
    }),
    metrics,
    clock: systemClock,
    authenticate: () => Promise.reject(refuse.unknownToken('unknown')),
  });
  const served = route(ServerService, { listClientVersions: work } as never) as Route;
  const client = createClient(ServerService, createLocalTransport([served], { interceptors }));
  const call = () =>
    client.listClientVersions(
      {},
      { headers: { [headers.requestId]: 'r1', [headers.traceparent]: TRACEPARENT } },
    );
  return { call, metrics, lines: () => lines.map((line) => JSON.parse(line)) };
}

const count = (code: string, value: number) =>
  `steward_rpc_duration_seconds_count{service="steward.user.v1.ServerService",method="ListClientVersions",code="${code}"} ${value}`;

it('counts calls by code', async () => {
  const answers = [() => ({}), () => ({})];
  const { call, metrics, lines } = observed(() => {
    const answer = answers.pop();
    if (!answer) throw refuse.notFound('none');
    return answer();
  });
  await call();
  await call();
  await expect(call()).rejects.toThrow('none');
  const text = await metrics.render();
  expect(text).toContain(count('ok', 2));
  expect(text).toContain(count('not_found', 1));
  expect(lines()).toEqual([]);
});

it('writes a failure to the log with its cause, the request and the trace', async () => {
  const { call, lines } = observed(() => {
    throw new Unavailable('The disk is gone');
  });
  await expect(call()).rejects.toMatchObject({ rawMessage: 'The store is not available; try again' });
  expect(lines()).toMatchObject([
    {
      level: 'error',
      reqId: 'r1',
      traceId: TRACE,
      method: 'steward.user.v1.ServerService/ListClientVersions',
      err: { message: 'The disk is gone' },
      msg: 'a call failed',
    },
  ]);
});

it('writes a slow call to the log', async () => {
  const { call, lines } = observed(() => new Promise((resolve) => setTimeout(resolve, 2, {})), 1);
  await call();
  expect(lines()).toMatchObject([{ level: 'warn', reqId: 'r1', code: 'ok', msg: 'a call was slow' }]);
});

it.each([
  ['sessions.step_up_scopes', { sessions: { step_up_scopes: ['users:erase', 'users:erased'] } }],
  ['audit.require_reason', { audit: { require_reason: ['users:erase', 'users:erased'] } }],
])('starts with no unknown scope in %s', (setting, overrides) => {
  const config = loadConfig({ env: { STEWARD_CONFIG_OVERRIDES: JSON.stringify(overrides) } });
  const logger = createLogger({ level: 'silent', name: 'test' });
  const metrics = createMetrics({ program: 'steward', release: '1.0.0' });
  const authenticate = () => Promise.reject(refuse.unknownToken('unknown'));
  const trail = {} as AuditTrail;
  const calls = { config, logger, metrics, clock: systemClock, authenticate, authority: nobodyPrivileged };
  expect(() =>
    serverInterceptors(calls, {
      trail,
      keys: {} as IdempotencyKeys,
      routes: [],
      ordered: orderedCalls([], systemClock),
    }),
  ).toThrow(`${setting}.1: there is no such scope`);
});
