import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Interrupted } from './io/exit.ts';
import { runCli } from './run-cli.ts';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from './testing/fake-server.ts';
import {
  interruptedSignal,
  ioForTest,
  type Run,
  type RunOptions,
  runForTest,
  shown,
} from './testing/run-for-test.ts';

const ROWS = [
  {
    name: '@alice:example.org',
    admin: 1,
    displayname: 'Alice',
    avatar_url: null,
    creation_ts: 1_700_000_000_000,
  },
  {
    name: '@日本:example.org',
    admin: 0,
    displayname: '日本 👩‍👩‍👧 é',
    avatar_url: null,
    creation_ts: 1_700_000_001_000,
  },
  {
    name: '@evil:example.org',
    admin: 0,
    displayname: '\u001b[31mred\u0007\u009b2J \u202eoverride\nline',
    avatar_url: null,
    creation_ts: 1_700_000_002_000,
  },
];

/** Two rows in each page, as the server pages lists. */
function users({ method, path }: FakeRequest): FakeAnswer | undefined {
  const url = new URL(path, 'https://server.example');
  if (method !== 'GET' || url.pathname !== '/_service/admin/v2/users') return undefined;
  const from = Number(url.searchParams.get('from') ?? 0);
  const to = from + Math.min(Number(url.searchParams.get('limit') ?? 2), 2);
  const more = to < ROWS.length ? { next_token: String(to) } : {};
  return { body: { users: ROWS.slice(from, to), ...more, total: ROWS.length } };
}

const run = (args: string, answers = users, options: RunOptions = {}): Promise<Run> =>
  runForTest(args.split(' '), { env: FAKE_ENV, fetch: fakeServer(answers).fetch, ...options });

const golden = async (name: string, result: Promise<Run>) =>
  expect(shown(await result)).toMatchFileSnapshot(`./golden/${name}.txt`);

describe('output', () => {
  it.each([
    ['list-table-terminal', 'users list --all', { terminal: 80 }],
    ['list-table-narrow', 'users list --all', { terminal: 40 }],
    ['list-page-terminal', 'users list', { terminal: 100 }],
    ['list-table-piped', 'users list --all -o table', {}],
    ['list-page-json', 'users list', {}],
    ['list-all-json', 'users list --all', {}],
    ['list-limit-json', 'users list --limit 1 -o json', {}],
    ['list-page-yaml', 'users list -o yaml', {}],
    ['list-all-yaml', 'users list --all -o yaml', {}],
    ['list-all-ndjson', 'users list --all -o ndjson', {}],
    ['list-all-jq', 'users list --all --jq .users[].displayname', {}],
    ['list-all-jq-terminal', 'users list --all --jq .users[].displayname', { terminal: 80 }],
    [
      'list-dry-run',
      'users list --order-by name --no-guests --not-user-type bot --not-user-type null --dry-run',
      {},
    ],
  ] as const)('%s', (name, args, options) => golden(name, run(args, users, options)));

  it('of a list without rows is a whole document', async () => {
    const none = () => ({ body: { users: [], total: 0 } });
    expect((await run('users list --all -o json', none)).stdout).toBe('{\n  "total": 0,\n  "users": []\n}\n');
    expect((await run('users list --all -o yaml', none)).stdout).toBe('total: 0\nusers: []\n');
    expect((await run('users list --all -o ndjson', none)).stdout).toBe('');
    expect((await run('users list --all', none, { terminal: 80 })).stdout).toBe('');
  });

  it('in JSON and YAML is the same for all pages at once and one by one', async () => {
    const { parse } = await import('yaml');
    const { users: rows, total } = JSON.parse((await run('users list --all -o json')).stdout);
    expect({ rows, total }).toEqual({ rows: ROWS, total: 3 });
    expect(parse((await run('users list --all -o yaml')).stdout)).toEqual({ users: ROWS, total: 3 });
  });

  it('of one object', async () => {
    const user = () => ({
      body: { ...ROWS[1], threepids: [{ medium: 'email', address: 'a@b.c' }], locked: false },
    });
    await golden('get-terminal', run('users get @a:example.org', user, { terminal: 60 }));
    await golden('get-yaml', run('users get @a:example.org -o yaml', user));
    await golden('get-ndjson', run('users get @a:example.org -o ndjson', user));
  });

  it.each(['-o yaml', '-oyaml', '-o=yaml', '--output yaml', '--output=yaml'])(
    'is chosen by %s',
    async (flag) => {
      expect((await run(`users list ${flag}`)).stdout).toMatch(/^users:$/m);
    },
  );

  it('of one object on a terminal has its values whole', async () => {
    const reason = 'x'.repeat(100);
    const { stdout } = await run('users get @a:b', () => ({ body: { reason } }), { terminal: 40 });
    expect(stdout).toContain(reason);
  });

  it('colours the head of a table on a terminal, unless it must not', async () => {
    const bold = '\u001b[1m';
    const on = (env: RunOptions['env'], args = '') =>
      run(`users list${args}`, users, { terminal: 80, env: { ...FAKE_ENV, ...env } });
    expect((await on({})).stdout).toContain(bold);
    for (const quiet of [on({ NO_COLOR: '1' }), on({ TERM: 'dumb' }), on({}, ' --no-color')])
      expect((await quiet).stdout).not.toContain('\u001b');
    expect((await run('users list -o table')).stdout).not.toContain('\u001b');
  });

  it('passes the bytes of an export on, and shows a terminal what it would obey', async () => {
    const bytes = '{"kind":"header"}\n\u001b[31m\n';
    const answer = () => ({ body: bytes });
    expect((await run('audit export', answer)).stdout).toBe(bytes);
    expect((await run('audit export', answer, { terminal: 80 })).stdout).toBe(
      '{"kind":"header"}\n\\u{1b}[31m\n',
    );
  });
});

describe('help', () => {
  it.each([
    ['help-top', '--help'],
    ['help-group', 'tasks --help'],
    ['help-command', 'users list --help'],
    ['help-body', 'users put --help'],
  ])('%s', (name, args) => golden(name, run(args)));

  it('is that of the command that help names', async () => {
    for (const words of ['', 'tasks', 'users list'])
      expect(await run(`help ${words}`.trim())).toEqual(await run(`${words} --help`.trim()));
    expect(await run('help users lost')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('requests', () => {
  const sent = async (args: readonly string[], options: RunOptions = {}) => {
    const server = fakeServer(() => ({}));
    const result = await runForTest(args, { env: FAKE_ENV, fetch: server.fetch, ...options });
    const [{ method, path, body, headers } = { headers: new Headers() }] = server.requests;
    return { ...result, count: server.requests.length, method, path, body, headers };
  };

  it('have parameters in the path, the query and the body', async () => {
    expect(await sent(['users', 'get', '@a/b?é:example.org'])).toMatchObject({
      method: 'GET',
      path: '/_service/admin/v2/users/%40a%2Fb%3F%C3%A9%3Aexample.org',
    });
    expect(
      await sent(['media', 'delete-before', '--before-ts', '5', '--no-keep-profiles', '--yes']),
    ).toMatchObject({
      method: 'POST',
      path: '/_service/admin/v1/media/delete?before_ts=5&keep_profiles=false',
    });
    expect(
      await sent([
        ...[
          'users',
          'put',
          '@a:b',
          '--displayname',
          'A',
          '--no-locked',
          '--threepids',
          '{"medium":"email","address":"a@b"}',
        ],
        ...['--body', '{"displayname":"B","avatar_url":null}'],
      ]),
    ).toMatchObject({
      method: 'PUT',
      body: {
        displayname: 'A',
        avatar_url: null,
        locked: false,
        threepids: [{ medium: 'email', address: 'a@b' }],
      },
    });
    expect(
      await sent([
        'tokens',
        'create',
        '--name',
        'x',
        '--scopes',
        'users:read',
        '--scopes',
        'rooms:read',
        '--expires-in-ms',
        'null',
      ]),
    ).toMatchObject({ body: { name: 'x', scopes: ['users:read', 'rooms:read'], expires_in_ms: null } });
  });

  it('have a body from the standard input, and secrets from files only', async () => {
    expect(await sent(['users', 'put', '@a:b', '--body', '-'], { input: '{"admin":true}' })).toMatchObject({
      body: { admin: true },
    });
    expect(
      await sent(['users', 'put', '@a:b', '--password-file', '-'], { input: 'wonder land\n' }),
    ).toMatchObject({ body: { password: 'wonder land' } });
    expect(await sent(['users', 'put', '@a:b', '--password', 'x'])).toMatchObject({ exitCode: 2, count: 0 });
    const asked = { terminal: 80, prompts: { secret: async () => 'typed' } };
    expect(await sent(['users', 'put', '@a:b', '--password-file', '-'], asked)).toMatchObject({
      body: { password: 'typed' },
    });
  });

  it('have the reason and the token, which no output has', async () => {
    const result = await sent(['users', 'get', '@a:b', '--reason', 'a ticket', '--verbose', '-o', 'yaml']);
    expect(result.headers.get('x-steward-reason')).toBe('a ticket');
    expect(result.headers.get('authorization')).toBe('Bearer stw_secret');
    expect(result.stderr).toBe(
      '> GET https://server.example/_service/admin/v2/users/%40a%3Ab\n< 200 in 0 ms, request request-1\n',
    );
    const dry = await sent(['users', 'put', '@a:b', '--password-file', '-', '--admin', '--dry-run'], {
      input: 'pw',
    });
    expect(dry).toMatchObject({ count: 0, exitCode: 0 });
    expect(dry.stdout).toBe(
      'PUT https://server.example/_service/admin/v2/users/%40a%3Ab\n{\n  "admin": true,\n  "password": "***"\n}\n',
    );
  });

  it('go by path, too', async () => {
    expect(await sent(['api', 'get', 'v2/users', '-f', 'name=a b', '-F', 'limit=2'])).toMatchObject({
      method: 'GET',
      path: '/_service/admin/v2/users?name=a+b&limit=2',
    });
    expect(await sent(['api', 'put', '/x/y', '-f', 'a=1', '-F', 'b={"c":[1]}'])).toMatchObject({
      method: 'PUT',
      path: '/x/y',
      body: { a: '1', b: { c: [1] } },
    });
    expect(await sent(['api', 'POST', 'v1/x', '--input', '-'], { input: '{"a":1}' })).toMatchObject({
      body: { a: 1 },
    });
    expect(await sent(['api', 'DELETE', 'v1/x'])).toMatchObject({ count: 0, exitCode: 2 });
    expect(await sent(['api', 'GET', '//evil.example/x'])).toMatchObject({ count: 0, exitCode: 2 });
    const { stdout } = await sent(['api', 'GET', 'v1/x', '-i']);
    expect(stdout).toBe('HTTP 200 OK\ncontent-type: application/json\nx-request-id: request-1\n\n{}\n');
  });
});

describe('exit codes', () => {
  const refuse = (status: number, errcode: string) => () => ({
    status,
    body: { errcode, error: 'Refused\u001b[2J' },
  });

  it.each([
    ['exit-failed', 'users get @a:b', refuse(400, 'M_INVALID_PARAM')],
    ['exit-not-found', 'users get @a:b', refuse(404, 'M_NOT_FOUND')],
    ['exit-not-authenticated', 'users get @a:b', refuse(401, 'M_UNKNOWN_TOKEN')],
    ['exit-not-allowed-json', 'users get @a:b -o json', refuse(403, 'M_FORBIDDEN')],
    ['exit-no-api', 'users get @a:b', () => ({ status: 404, body: '<html>' })],
    ['exit-usage-value', 'users list --order-by size', users],
    ['exit-usage-flag', 'users list --sort name', users],
    ['exit-usage-json', 'users list --from x --output=ndjson', users],
    ['exit-usage-command', 'users lost', users],
    ['exit-usage-missing', 'users get', users],
    ['exit-usage-required', 'roles create --name x', users],
    ['exit-usage-filter', 'users list --jq .users[', users],
    ['exit-usage-path', 'users get ..', users],
    ['exit-usage-server', 'login https://admin:password@server.example', users],
    ['exit-usage-confirm', 'rooms delete !a:b', users],
  ] as const)('%s', (name, args, answers) => golden(name, run(args, answers)));

  it('are 5 for a list that breaks off', async () => {
    const broken = (request: FakeRequest) =>
      request.path.includes('from=')
        ? { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'No' } }
        : users(request);
    await golden('exit-partly', run('users list --all -o ndjson', broken));
  });

  it('are 130 after Ctrl-C, also in a question', async () => {
    const signal = interruptedSignal();
    expect(await run('users list', users, { signal })).toEqual({ exitCode: 130, stdout: '', stderr: '' });
    const put = await run('users put @a:b --admin', users, { signal });
    expect(put).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining('may carry the request out'),
    });
    const confirm = () => Promise.reject(signal.reason);
    expect(await run('rooms delete !a:b', users, { terminal: 80, prompts: { confirm } })).toMatchObject({
      exitCode: 130,
    });
  });

  it('are 130 after Ctrl-C while the standard input is read', async () => {
    const interruption = new AbortController();
    const { io } = ioForTest({ env: FAKE_ENV, fetch: fakeServer(users).fetch });
    const stdin = new PassThrough();
    const ended = runCli({ ...io, stdin, signal: interruption.signal }, [
      'users',
      'put',
      '@a:b',
      '--body',
      '-',
    ]);
    stdin.write('{"admin":');
    await expect.poll(() => stdin.listenerCount('readable')).toBeGreaterThan(0);
    interruption.abort(new Interrupted());
    expect(await ended).toBe(130);
  });

  it.each(['{"password": wonderland}', '{"password": "wonderland" x}', 'wonderland'])(
    'are 2 for a body that is no JSON, and the message does not repeat it: %s',
    async (body) => {
      const { exitCode, stderr } = await runForTest(['users', 'put', '@a:b', '--body', '-'], {
        env: FAKE_ENV,
        input: body,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('is no JSON') });
      expect(stderr).not.toContain('wonder');
    },
  );

  it('follow the answer to a question before what cannot be taken back', async () => {
    const questions: string[] = [];
    const answers = (answer: boolean) => ({
      terminal: 80,
      prompts: {
        confirm: async (question: string) => {
          questions.push(question);
          return answer;
        },
      },
    });
    const done = () => ({ body: {} });
    expect(await run('users deactivate @a:b', done, answers(false))).toMatchObject({ exitCode: 1 });
    expect(await run('users deactivate @a:b', done, answers(true))).toMatchObject({ exitCode: 0 });
    expect(await run('users put @a:b --deactivated', done, answers(true))).toMatchObject({ exitCode: 0 });
    expect(await run('users put @a:b --deactivated', done)).toMatchObject({ exitCode: 2 });
    expect(questions).toHaveLength(3);
    expect(questions[0]).toContain('users deactivate @a:b');
    expect(await run('users deactivate @a:b -y', done)).toMatchObject({ exitCode: 0 });
  });

  it('are 2 without a server or a token', async () => {
    expect(await run('users list', users, { env: {} })).toMatchObject({ exitCode: 2 });
    const env = { STEWARD_SERVER: FAKE_ENV.STEWARD_SERVER, STEWARD_TOKEN: 'a\nb' };
    const { exitCode, stderr } = await run('users list', users, { env });
    expect({ exitCode, isHidden: !stderr.includes('a\nb') }).toEqual({ exitCode: 2, isHidden: true });
  });
});
