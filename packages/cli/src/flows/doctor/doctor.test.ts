import { describe, expect, it } from 'vitest';
import { RELEASE } from '../../release.ts';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from '../../testing/fake-server.ts';
import { type Run, type RunOptions, runForTest, shown, TEST_TIME } from '../../testing/run-for-test.ts';

const process = {
  id: 'p1',
  kind: 'user',
  host: 'one',
  pid: 7,
  release: RELEASE,
  state: 'ready',
  missing: [] as string[],
  outboxes: [{ service: 'user', entries: 0, oldest_ms: 0 }],
  consumers: [{ consumer: 'user-rooms', pending: 0 }],
  tasks: { scheduled: 0, active: 1, oldest_waiting_ms: 0 },
};
const status = {
  server_name: 'example.org',
  release: RELEASE,
  schema: 1,
  store: 'mongodb',
  store_version: '7.0',
  broker: 'nats',
  dead_letters: 0,
  degraded: [] as string[],
  processes: [process],
};
const me = {
  user_id: '@alice:example.org',
  token_kind: 'automation_token',
  name: 'ci',
  scopes: ['users:read'],
};
const DAY_MS = 86_400_000;

type Answers = Readonly<Record<string, FakeAnswer>>;

const WELL: Answers = {
  '/health': { body: { status: 'ok' }, headers: { date: new Date(TEST_TIME).toUTCString() } },
  me: { body: { ...me, expires_ts: TEST_TIME + 90 * DAY_MS } },
  'server/status': { body: status },
  tasks: { body: { tasks: [] } },
  events: { body: { events: [], next_after: 7, latest: 7 } },
  stream: { body: ': x\n\n', headers: { 'content-type': 'text/event-stream' } },
  'audit_log/checkpoints': { body: { checkpoints: [{ number: 5, key_id: 'key' }] } },
  'users/%40alice%3Aexample.org/quotas': {
    body: { quotas: { devices: { used: 1, quota: 50, own: false } } },
  },
};

function run(args: string, changes: Answers = {}, options: RunOptions = {}): Promise<Run> {
  const answers = { ...WELL, ...changes };
  const answer = ({ path, headers }: FakeRequest) => {
    const name = path.replace('/_service/admin/v1/', '').split('?')[0] ?? '';
    return answers[headers.get('accept') === 'text/event-stream' ? 'stream' : name];
  };
  const certificateOf = async () => ({ expiresTs: TEST_TIME + 60 * DAY_MS, protocol: 'TLSv1.3' });
  return runForTest(args.split(' '), {
    env: FAKE_ENV,
    fetch: fakeServer(answer).fetch,
    certificateOf,
    ...options,
  });
}
const golden = async (name: string, result: Promise<Run>) =>
  expect(shown(await result)).toMatchFileSnapshot(`../golden/${name}.txt`);

describe('doctor', () => {
  it('finds nothing where all is well', async () => {
    await golden('doctor-well', run('doctor -o table'));
    const { exitCode, stdout } = await run('doctor -o json');
    expect(exitCode).toBe(0);
    expect(new Set(JSON.parse(stdout).map(({ status: each }: { status: string }) => each))).toEqual(
      new Set(['ok']),
    );
  });

  it('names what is not as it should be, with a remedy for each', async () => {
    const lost = {
      ...process,
      id: 'p2',
      kind: 'room',
      state: 'unready',
      missing: ['store'],
      release: '0.0.1',
    };
    const late = {
      ...process,
      outboxes: [{ service: 'user', entries: 9, oldest_ms: 90_000 }],
      consumers: [{ consumer: 'user-rooms', pending: 2_000 }],
      tasks: { scheduled: 3, active: 0, oldest_waiting_ms: 900_000 },
    };
    const degraded = ['store_missing', 'broker_missing', 'media_missing', 'disk_missing', 'later_code'];
    const ill = {
      '/health': {
        ...WELL['/health'],
        status: 503,
        headers: { date: new Date(TEST_TIME - 20_000).toUTCString() },
      },
      me: { body: { ...me, expires_ts: TEST_TIME + DAY_MS } },
      'server/status': {
        body: { ...status, store_version: null, dead_letters: 2, degraded, processes: [late, lost] },
      },
      tasks: { body: { tasks: [{}, {}] } },
      stream: { body: {} },
      'audit_log/checkpoints': { body: { checkpoints: [{ number: 5, key_id: null }] } },
      'users/%40alice%3Aexample.org/quotas': {
        body: { quotas: { devices: { used: 49, quota: 50, own: false } } },
      },
    };
    const certificateOf = async () => ({ expiresTs: TEST_TIME + DAY_MS, protocol: 'TLSv1.2' });
    await golden('doctor-ill', run('doctor -o table', ill, { certificateOf }));
    const rows = JSON.parse((await run('doctor', ill)).stdout);
    for (const { status: each, remedy } of rows) expect(remedy === null).toBe(each === 'ok');
  });

  it('ends at a server that cannot be reached, and at a token that is not valid', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    await golden('doctor-unreachable', run('doctor -o table', {}, { fetch }));
    const refused = { me: { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown token' } } };
    const result = await run('doctor --jq .status+.check', refused);
    expect(result).toMatchObject({ exitCode: 1, stdout: 'okserver\noktls\nokclock\nfailtoken\n' });
  });

  it.each(['self-signed certificate', 'SSL routines:ssl3_get_record:wrong version number'])(
    'says what to do about TLS: %s',
    async (message) => {
      const fetch = async () => {
        throw new TypeError('fetch failed', { cause: new Error(message) });
      };
      const { stdout } = await run('doctor --jq .remedy', {}, { fetch });
      expect(stdout).toContain('NODE_EXTRA_CA_CERTS');
    },
  );

  it.each([
    ['suspended', 'fail'],
    ['credential', 'warn'],
  ])('says why a token has less rights than its account: %s', async (reason, expected) => {
    const body = { ...me, withheld_reason: reason, withheld_scopes: ['server:read'] };
    const { stdout } = await run('doctor --jq select(.check=="token").status', { me: { body } });
    expect(stdout).toBe(`${expected}\n`);
  });

  it('warns of what it may not see', async () => {
    const refused = {
      status: 403,
      body: { errcode: 'M_FORBIDDEN', error: 'This requires the scope server:read' },
    };
    const { exitCode, stdout } = await run('doctor -o table', { 'server/status': refused });
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('scope server:read'),
    });
  });

  it.each([
    [-70_000, 'fail'],
    [10_000, 'warn'],
    [1_000, 'ok'],
  ])('judges a clock that is %i ms apart: %s', async (apart, expected) => {
    const changes = { '/health': { headers: { date: new Date(TEST_TIME + apart).toUTCString() } } };
    const { stdout } = await run('doctor --jq select(.check=="clock").status', changes);
    expect(stdout).toBe(`${expected}\n`);
  });
});
