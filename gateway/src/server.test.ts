import { execFileSync } from 'node:child_process';
import { create, type Message } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ContextValues,
  createRouterTransport,
  type Transport,
} from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { AuthenticateResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { headers, markLogged, WrittenAnswer } from '@steward/rpc';
import { forwardedForm } from '@steward/rpc/testing';
import { createReadiness } from '@steward/runtime';
import { createLogger, createMetrics, noMeters } from '@steward/telemetry';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from './server.ts';

const ready = createReadiness(noMeters);
ready.serve([]);

async function startGateway(
  transport: Transport,
  { env = {}, logger = createLogger({ level: 'silent', name: 'test' }) } = {},
): Promise<FastifyInstance> {
  const gateway = await createGateway({
    config: loadConfig({ env }),
    logger,
    random: systemRandom,
    metrics: createMetrics({ program: 'steward', release: '1.0.0' }),
    transportOf: () => transport,
    readiness: ready,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

it('a start has no time limit', async () => {
  const gateway = await startGateway(createRouterTransport(() => {}));
  expect(gateway.initialConfig.pluginTimeout).toBe(0);
});

it('a connection may not be silent for long, in a head or with an answer that is not read', async () => {
  const { server } = await startGateway(createRouterTransport(() => {}));
  expect(server).toMatchObject({ timeout: 60_000, headersTimeout: 10_000 });
});

/** The calls of a gateway, each with its headers, which are answered with this message, or refused. */
async function recordCalls(message?: WrittenAnswer) {
  const calls: { readonly header: Headers; readonly hints: ContextValues | undefined }[] = [];
  const gateway = await startGateway({
    unary: async (_method, _signal, _timeoutMs, header, _message, hints) => {
      calls.push({ header: new Headers(header), hints });
      if (message) return { header: new Headers(), message } as never;
      throw refuse.notFound('not found');
    },
    stream: async () => {
      throw refuse.notFound('not found');
    },
  });
  return { gateway, calls };
}

const USER = '/_service/admin/v2/users/@a:test?access_token=t';

it('starts a trace for a change, and continues that of a client for every request, not recorded', async () => {
  const { gateway, calls } = await recordCalls();
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await gateway.inject({ url: USER });
  await gateway.inject({ url: USER, headers: { traceparent: trace } });
  await gateway.inject({ url: USER, method: 'PUT', payload: '{}' });
  const traces = calls.map(({ header }) => header.get(headers.traceparent));
  expect(traces).toEqual([
    null,
    trace.replace(/01$/, '00'),
    expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  ]);
});

it('asks for no message where it only passes the answer on', async () => {
  const { gateway, calls } = await recordCalls();
  await gateway.inject({ url: USER });
  await gateway.inject({ url: USER.replace('_service', '_synapse') });
  const forms = calls.map(({ hints }) => forwardedForm(hints));
  expect(forms).toEqual([false, true].map((compat) => ({ responseBody: '', compat })));
});

it('passes an answer on that the service wrote', async () => {
  const message = new WrittenAnswer(201, '{"name":"é"}');
  const { gateway } = await recordCalls(message);
  const answer = await gateway.inject({ url: USER });
  expect([answer.statusCode, answer.body]).toEqual([201, '{"name":"é"}']);
});

/** A gateway whose services give these answers by the names of methods, and the calls that they get. */
async function gatewayOf(answers: Readonly<Record<string, () => Message>>) {
  const calls: { readonly name: string; readonly message: unknown }[] = [];
  const gateway = await startGateway({
    unary: async ({ name, output }, _signal, _timeoutMs, _header, message) => {
      calls.push({ name, message });
      const answer = answers[name]?.() ?? create(output);
      const header = new Headers({ [headers.position]: POSITION });
      return { stream: false, header, trailer: new Headers(), message: answer } as never;
    },
    stream: async () => {
      throw refuse.notFound('not found');
    },
  });
  const names = () => calls.map(({ name }) => name);
  return { gateway, calls, names };
}

const POSITION = `001795760000000-000000-${'a'.repeat(22)}`;
const ADMINISTRATOR = () => create(AuthenticateResponseSchema, { userId: '@root:test', admin: true });

it('answers a change with its position, which a read sends to wait for it', async () => {
  const { gateway, calls, names } = await gatewayOf({ Authenticate: ADMINISTRATOR });
  const changed = await gateway.inject({ url: USER, method: 'PUT', payload: '{}' });
  expect(changed.headers).toMatchObject({
    'x-steward-position': POSITION,
    'access-control-expose-headers': expect.stringContaining('X-Steward-Position'),
  });
  const waitFor = { 'x-steward-wait-for': `${POSITION}, ${POSITION}` };
  await gateway.inject({ url: USER, headers: waitFor });
  expect(names()).toEqual(['PutUser', 'Authenticate', 'AwaitEntries', 'GetUser']);
  expect(calls[2]?.message).toMatchObject({ entryIds: [POSITION, POSITION] });
  calls.length = 0;
  await gateway.inject({ url: USER });
  await gateway.inject({ url: USER, method: 'PUT', payload: '{}', headers: waitFor });
  await gateway.inject({ url: '/_proto/client/v3/account/whoami?access_token=t', headers: waitFor });
  expect(names()).toEqual(['GetUser', 'PutUser', expect.stringMatching(/^Who/)]);
});

it('answers a read that cannot wait, or that nobody with the right sends, at once', async () => {
  const waitFor = { 'x-steward-wait-for': POSITION };
  const fails = () => {
    throw refuse.unavailable('The service is away');
  };
  const unavailable = await gatewayOf({ Authenticate: ADMINISTRATOR, AwaitEntries: fails });
  expect((await unavailable.gateway.inject({ url: USER, headers: waitFor })).statusCode).toBe(200);
  expect(unavailable.names()).toEqual(['Authenticate', 'AwaitEntries', 'GetUser']);
  const stranger = await gatewayOf({});
  await stranger.gateway.inject({ url: USER, headers: waitFor });
  expect(stranger.names()).toEqual(['Authenticate', 'GetUser']);
});

it('refuses to wait for what is not a position', async () => {
  const { gateway, names } = await gatewayOf({ Authenticate: ADMINISTRATOR });
  const refused = await gateway.inject({ url: USER, headers: { 'x-steward-wait-for': '17' } });
  expect([refused.statusCode, refused.json().errcode]).toEqual([400, 'M_INVALID_PARAM']);
  expect(names()).toEqual([]);
});

it('passes no header of a client on under a name that services believe', async () => {
  const { gateway, calls } = await recordCalls();
  const names = [...Object.values(headers), 'steward-requester'];
  const stated = Object.fromEntries(names.map((name) => [name, 'stated by the client']));
  const forwarded = { 'x-forwarded-for': '198.51.100.7:1111' };
  const answer = await gateway.inject({ url: USER, headers: { ...stated, ...forwarded } });
  expect(answer.statusCode).toBe(404);
  expect(calls[0]?.header.get(headers.clientAddress)).toBe('198.51.100.7');
  const passed = calls.flatMap(({ header }) => [...header.values()]);
  expect(passed).not.toEqual([]);
  expect(passed).not.toContain('stated by the client');
});

/** A gateway whose services refuse everything with `refusal` after `takesMs` milliseconds, and the lines of its log. */
async function recordLines(refusal: Error, env: Record<string, string> = {}, takesMs = 0) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: env.STEWARD_LOG_LEVEL as 'info', name: 'test', destination });
  const fail = async () => {
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    throw refusal;
  };
  const gateway = await startGateway({ unary: fail, stream: fail }, { env, logger });
  return { gateway, lines: () => lines.map((line) => JSON.parse(line)), text: () => lines.join('') };
}

it('writes one line for a request, without its path and token', async () => {
  const env = { STEWARD_LOG_LEVEL: 'info' };
  const { gateway, lines, text } = await recordLines(refuse.notFound('not found'), env);
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const sent = { 'x-request-id': 'r1', traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const answer = await gateway.inject({ url: USER, headers: sent });
  expect(lines()).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      name: 'test',
      reqId: 'r1',
      traceId: trace,
      verb: 'GET',
      route: '/_service/admin/v2/users/:user_id',
      status: 404,
      ms: expect.any(Number),
      bytes: Number(answer.headers['content-length']),
      address: '127.0.0.1',
      msg: 'request',
    },
  ]);
  expect(text()).not.toContain('access_token');
  await gateway.inject('/nowhere/at/all');
  expect(lines()[1]).toMatchObject({ route: 'unmatched', status: 404 });
});

it.each([
  ['all', 2],
  ['errors', 1],
  ['off', 0],
])(
  'with logging.access %s, %i of a successful and a refused request, and no probe, have a line',
  async (access, count) => {
    const env = { STEWARD_LOG_LEVEL: 'info', STEWARD_LOG_ACCESS: access };
    const { gateway, lines } = await recordLines(refuse.notFound('not found'), env);
    await gateway.inject('/health');
    await gateway.inject({ url: USER, method: 'OPTIONS' });
    await gateway.inject(USER);
    expect(lines()).toHaveLength(count);
  },
);

it('shows the path at level debug, without secrets', async () => {
  const { gateway, lines } = await recordLines(refuse.notFound('none'), { STEWARD_LOG_LEVEL: 'debug' });
  await gateway.inject(USER);
  expect(lines()).toMatchObject([{ url: '/_service/admin/v2/users/@a:test?access_token=[redacted]' }]);
  for (const method of ['GET', 'POST'] as const)
    await gateway.inject({ method, url: '/_service/admin/v1/registration_tokens/hush?access_token=hush' });
  const withoutRoute = [
    ['GET', '/_service/admin/v9/registration_tokens/hush'],
    ['GET', '/_service/admin/v1/registration_tokens/hush/more?password=hush'],
    ['GET', '/_service/admin/v1/registration%5Ftokens/hush'],
    ['PATCH', '/_service/admin/v1/registration_tokens/hush'],
    ['PROPFIND', '/_service/admin/v1/registration_tokens/hush'],
  ] as const;
  for (const [method, url] of withoutRoute) await gateway.inject({ method: method as 'GET', url });
  expect(lines()).toHaveLength(3 + withoutRoute.length);
  expect(lines()[3]).toMatchObject({ status: 404, url: '/_service/admin/*/registration_tokens/*' });
  expect(JSON.stringify(lines())).not.toContain('hush');
});

it('warns of a slow request', async () => {
  const overrides = JSON.stringify({ logging: { slow_ms: 1, access: 'off' } });
  const env = { STEWARD_LOG_LEVEL: 'info', STEWARD_CONFIG_OVERRIDES: overrides };
  const { gateway, lines } = await recordLines(refuse.notFound('none'), env, 2);
  await gateway.inject(USER);
  expect(lines()).toMatchObject([{ level: 'warn', msg: 'a request was slow', status: 404 }]);
});

it('reports a service that it does not reach, and not what a service has reported', async () => {
  const cause = new Error('connect ECONNREFUSED');
  const lost = new ConnectError('The connection was lost', Code.Unavailable, undefined, undefined, cause);
  const { gateway, lines } = await recordLines(lost, { STEWARD_LOG_LEVEL: 'error' });
  await gateway.inject({ url: USER, headers: { 'x-request-id': 'r1' } });
  expect(lines()).toMatchObject([{ level: 'error', reqId: 'r1', msg: 'request failed' }]);
  expect(JSON.stringify(lines())).toContain('ECONNREFUSED');
  const reported = await recordLines(markLogged(refuse.unavailable('away')), { STEWARD_LOG_LEVEL: 'error' });
  expect((await reported.gateway.inject(USER)).statusCode).toBe(503);
  expect(reported.lines()).toEqual([]);
});

it('calls services without an address if the connection of a request was reset at once', async () => {
  const { gateway, calls } = await recordCalls();
  const { port } = new URL(await gateway.listen({ host: '127.0.0.1', port: 0 }));
  const script = `const client = require('node:net').connect(${port}, '127.0.0.1', () =>
    client.write('GET ${USER} HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n', () => client.resetAndDestroy()));`;
  // This process cannot accept the connection in the meantime.
  execFileSync(process.execPath, ['-e', script]);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.header.get(headers.clientAddress)).toBe('');
});
