import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import table from './gen/commands.json' with { type: 'json' };
import { Interrupted } from './io/exit.ts';
import type { CommandTable } from './operations/operation-command.ts';
import { runCli } from './run-cli.ts';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from './testing/fake-server.ts';
import {
  interruptedSignal,
  ioForTest,
  type Run,
  type RunOptions,
  runForTest,
  shown,
  TEST_TIME,
} from './testing/run-for-test.ts';

const COMMANDS = table as unknown as CommandTable;

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
    ['list-wide-narrow', 'users list --all -o wide', { terminal: 40 }],
    ['list-wide-piped', 'users list --all -o wide', {}],
    ['list-columns', 'users list --all --columns name,last-seen-ts,CREATION_TS', { terminal: 30 }],
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
    expect((await run('users list --all', none, { terminal: 80 })).stdout).toBe('0 users\n');
    expect((await run('users list -o wide', none)).stdout).toBe('0 users\n');
    const noRows = () => ({ body: { chunk: [], results: [], scheduled_tasks: [] } });
    const nouns = ['rooms list-messages !a:b', 'rooms list-deletions !a:b', 'tasks list-scheduled'].map(
      async (args) => (await run(args, noRows, { terminal: 80 })).stdout,
    );
    expect(await Promise.all(nouns)).toEqual(['0 messages\n', '0 deletions\n', '0 scheduled tasks\n']);
  });

  it('of chosen columns is a table, of fields that there are', async () => {
    const columns = (args: string) => run(`users list --columns ${args}`);
    expect((await columns('name')).stdout).toMatch(/^NAME\n@alice/);
    expect((await columns('nam')).stderr).toMatch(/there is no column nam; there are name, /);
    for (const args of ['name -o json', 'name --jq .', ',', 'name,'])
      expect(await columns(args)).toMatchObject({ exitCode: 2, stdout: '' });
    // Nothing else of the API takes the id of a task that is cut.
    const id = `resolve-case-${'0'.repeat(32)}-1.1`;
    const tasks = () => ({ body: { tasks: [{ id, kind: 'report.resolve', status: 'complete' }] } });
    expect((await run('tasks list', tasks, { terminal: 80 })).stdout).toContain(`${id}  report.resolve`);
    const one = await run('users get @a:b --columns name,locked', () => ({
      body: { name: '@a:b', locked: false, x: 1 },
    }));
    expect(one.stdout).toBe('name    @a:b\nlocked  false\n');
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

  it('writes exported bytes unchanged, and escapes control sequences on a terminal', async () => {
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

  it('help is that of the command that help names', async () => {
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

  it('are planned with --plan, and not sent', async () => {
    const paths: string[] = [];
    const bodies: unknown[] = [];
    const server = ({ method, path, body }: FakeRequest) => {
      paths.push(`${method} ${path}`);
      bodies.push(body);
      return { body: { dry_run: true, changes: [{ kind: 'devices', change: 'removed', count: 2 }] } };
    };
    const planned = ['rooms delete !a:b --purge --plan', 'users deactivate @a:b --erase --plan'];
    for (const args of planned) {
      paths.splice(0);
      const { exitCode, stdout } = await run(`${args} --jq .changes[].count`, server);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '2\n' });
      expect(paths.filter((path) => !path.startsWith('GET'))).toEqual(['POST /_service/admin/v1/plans']);
    }
    expect(bodies).toContainEqual({
      method: 'DELETE',
      path: '/_service/admin/v1/rooms/!a%3Ab',
      body: { purge: true },
    });
    expect(bodies).toContainEqual({
      method: 'POST',
      path: '/_service/admin/v1/deactivate/%40a%3Ab',
      body: { erase: true },
    });
    expect(await run('users deactivate @a:b @c:d --plan', server)).toMatchObject({ exitCode: 2 });
    expect(await run('users list --plan', server)).toMatchObject({ exitCode: 2 });
  });

  it('complete the first part of a user id with the name of the server, asked for once', async () => {
    const paths: string[] = [];
    const serverOf = (me: string) => (request: FakeRequest) => {
      paths.push(request.path);
      if (request.path === '/_service/admin/v1/me') return { body: { user_id: me } };
      if (request.path === '/_proto/key/v2/server') return { body: { server_name: 'keys.example' } };
      return { body: { body: request.body } };
    };
    const request = async (args: string, me = '@admin:a.example:8448') => {
      paths.splice(0);
      const { stdout, exitCode } = await run(args, serverOf(me));
      expect(exitCode).toBe(0);
      return {
        path: decodeURIComponent(paths.at(-1) ?? '').replace('/_service/admin/', ''),
        stdout,
        count: paths.length,
      };
    };
    const whole = 'v2/users/@bob:a.example:8448';
    expect(await request('users get bob')).toMatchObject({ path: whole, count: 2 });
    expect(await request('users get @bob')).toMatchObject({ path: whole });
    expect(await request('users get @bob:b.example')).toMatchObject({
      path: 'v2/users/@bob:b.example',
      count: 1,
    });
    expect(await request('users get bob', 'token:1')).toMatchObject({
      path: 'v2/users/@bob:keys.example',
      count: 3,
    });
    expect(await request('rooms list --creator bob')).toMatchObject({
      path: 'v1/rooms?creator=@bob:a.example:8448',
    });
    expect(await request('rooms ban-user !r:x --user-ids bob --user-ids @eve')).toMatchObject({
      stdout: expect.stringContaining('"@bob:a.example:8448",\n      "@eve:a.example:8448"'),
      count: 2,
    });
    expect(await request('users put bob --locked --dry-run')).toMatchObject({
      stdout: expect.stringContaining('/v2/users/%40bob%3Aa.example%3A8448'),
    });
    // Parts of ids, and words for no one, stay.
    for (const args of [
      'users list --user-id bob',
      'reports list --assignee none',
      'audit list --actor token:1',
    ])
      expect(await request(args)).toMatchObject({ count: 1 });
  });

  it('take times as dates and as distances to the present', async () => {
    const now = TEST_TIME;
    const day = 86_400_000;
    const times: readonly (readonly [text: string, ms: number])[] = [
      ['2026-11-01', Date.UTC(2026, 10, 1)],
      ['2026-11-01T10:00Z', Date.UTC(2026, 10, 1, 10)],
      ['2026-11-01 10:00', Date.UTC(2026, 10, 1, 10)],
      ['2026-11-01T10:00:30.5+0130', Date.UTC(2026, 10, 1, 8, 30, 30, 500)],
      ['-7d', now - 7 * day],
      ['90d ago', now - 90 * day],
      ['2 weeks ago', now - 14 * day],
      ['+36h', now + 1.5 * day],
      ['in 5 min', now + 300_000],
      ['now', now],
      ['1700000000000', 1_700_000_000_000],
      ['-5', -5],
    ];
    for (const [text, ms] of times) {
      for (const args of [
        ['users', 'list', '--created-after', text],
        ['users', 'redact', '@a:b', '--rooms', '!r:x', '--before-ts', text, '--yes'],
        ['audit', 'list', `--from-ts=${text}`],
      ]) {
        const { path, body } = await sent(args);
        expect({ text, found: JSON.stringify([path, body]) }).toEqual({
          text,
          found: expect.stringContaining(String(ms)),
        });
      }
    }
    for (const text of [
      '2026-02-30',
      '2026-13-01',
      '7d',
      '-7x',
      'in 7d ago',
      '+7d ago',
      'yesterday',
      '',
      '2026-11-01T25:00',
    ])
      expect(await sent(['users', 'list', '--created-after', text])).toMatchObject({ exitCode: 2, count: 0 });
    expect(await sent(['registration-tokens', 'update', 't', '--expiry-time', 'null'])).toMatchObject({
      body: { expiry_time: null },
    });
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

it('every list is followed over its pages, and in a table has at most five columns', async () => {
  const commands = COMMANDS.commands.filter(({ list }) => list !== undefined);
  expect(commands.length).toBeGreaterThan(30);
  for (const { group, name, parameters, list, columns } of commands) {
    const usual = { ...list, columns, flags: [] as readonly string[] };
    const variants = (list?.variants ?? []).map((one) => ({
      ...one,
      cursor: list?.cursor,
      flags: [`--${one.parameter}`, one.value],
    }));
    for (const { items = '', cursor, columns: all, narrow = [], flags } of [usual, ...variants]) {
      const fields = [...new Set([...all, ...narrow])];
      const row = (id: number) => Object.fromEntries(fields.map((field) => [field, `${field} ${id}`]));
      const others = variants.length === 0 ? {} : { reports: [{}], cases: [{}] };
      const server = fakeServer(({ path }) => {
        const isSecond =
          cursor !== undefined && new URL(path, 'https://x').searchParams.get(cursor.parameter) === '7';
        const rows = fields.length === 0 ? [isSecond ? '@b:c' : '@a:c'] : [row(isSecond ? 2 : 1)];
        const next = cursor === undefined || isSecond ? {} : { [cursor.next]: 7 };
        return { body: items === '' ? rows : { ...others, [items]: rows, ...next } };
      });
      const args = [
        ...[group, name, ...parameters.filter((one) => one.flag === undefined).map(() => '@x:y'), ...flags],
        ...parameters.flatMap((one) =>
          one.required && one.flag !== undefined ? [`--${one.flag}`, '1'] : [],
        ),
        ...(cursor === undefined ? [] : ['--all']),
      ];
      const of = async (format: string) => {
        const result = await runForTest([...args, '-o', format], { env: FAKE_ENV, fetch: server.fetch });
        expect({ args, ...result }).toMatchObject({ exitCode: 0 });
        return result.stdout.trim().split('\n');
      };
      const count = cursor === undefined ? 1 : 2;
      expect({ args, rows: (await of('ndjson')).length }).toEqual({ args, rows: count });
      const [head = '', ...rows] = await of('table');
      expect({ args, rows: rows.length }).toEqual({ args, rows: count });
      expect(head.split(/ {2,}/).length).toBeLessThanOrEqual(5);
      expect(head).not.toMatch(/\bTS\b/);
    }
  }
});

it('every time and every whole user id of the contract is read as such', () => {
  const parameters = COMMANDS.commands.flatMap((command) => command.parameters);
  const times = parameters.filter(
    ({ type, description }) => type === 'integer' && /since the Unix epoch/.test(description),
  );
  expect(times.filter(({ time }) => !time)).toEqual([]);
  const ids = parameters.filter(({ description }) =>
    /^The (?:user id|id of (?:the|a) user|ids of several users)(?! at)\b/.test(description),
  );
  expect(ids.length).toBeGreaterThan(40);
  expect(ids.filter(({ user }) => !user)).toEqual([]);
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

  it('exit codes are 5 for a list that breaks off', async () => {
    const broken = (request: FakeRequest) =>
      request.path.includes('from=')
        ? { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'No' } }
        : users(request);
    await golden('exit-partly', run('users list --all -o ndjson', broken));
  });

  it('exit codes are 130 after Ctrl-C, also in a question', async () => {
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

  it('exit codes are 130 after Ctrl-C while the standard input is read', async () => {
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
    'are 2 for a body that is not JSON, and the message does not repeat it: %s',
    async (body) => {
      const { exitCode, stderr } = await runForTest(['users', 'put', '@a:b', '--body', '-'], {
        env: FAKE_ENV,
        input: body,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('is not JSON') });
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

  it('exit codes are 2 without a server or a token', async () => {
    expect(await run('users list', users, { env: {} })).toMatchObject({ exitCode: 2 });
    const env = { STEWARD_SERVER: FAKE_ENV.STEWARD_SERVER, STEWARD_TOKEN: 'a\nb' };
    const { exitCode, stderr } = await run('users list', users, { env });
    expect({ exitCode, isHidden: !stderr.includes('a\nb') }).toEqual({ exitCode: 2, isHidden: true });
  });
});
