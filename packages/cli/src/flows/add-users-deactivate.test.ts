import { expect, it } from 'vitest';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from '../testing/fake-server.ts';
import { type Run, type RunOptions, runForTest, shown } from '../testing/run-for-test.ts';

interface Account {
  readonly name: string;
  readonly admin?: boolean;
  readonly deactivated?: boolean;
  readonly is_guest?: boolean;
}

const OWN = '@alice:example.org';

/** A server with accounts, which deactivates them. */
function serverOf(
  accounts: readonly Account[],
  refuse: (id: string) => FakeAnswer | undefined = () => undefined,
) {
  const deactivated = new Set(accounts.flatMap((each) => (each.deactivated ? [each.name] : [])));
  const sent: string[] = [];
  const answer = ({ method, path, body }: FakeRequest): FakeAnswer | undefined => {
    const url = new URL(path, 'https://server.example');
    const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    if (url.pathname.endsWith('/me')) return { body: { user_id: OWN, owner: null, scopes: [] } };
    if (url.pathname.endsWith('/v3/users')) {
      const from = Number(url.searchParams.get('from') ?? 0);
      const active = accounts.filter(({ name }) => !deactivated.has(name));
      const more = from + 2 < active.length ? { next_token: String(from + 2) } : {};
      return { body: { users: active.slice(from, from + 2).map(rowOf), total: active.length, ...more } };
    }
    const account = accounts.find(({ name }) => name === id);
    if (account === undefined)
      return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'User not found' } };
    if (method === 'GET')
      return { body: { ...rowOf(account), deactivated: deactivated.has(id), erased: false } };
    const refusal = refuse(id);
    if (refusal !== undefined) return refusal;
    sent.push(`${id} ${JSON.stringify(body)}`);
    deactivated.add(id);
    return { body: { id_server_unbind_result: 'success' } };
  };
  const { fetch, requests } = fakeServer(answer);
  return { fetch, requests, sent };
}

function rowOf({ name, admin = false, is_guest = false }: Account) {
  return {
    name,
    displayname: '日本 \u001b[2J',
    admin,
    is_guest,
    locked: false,
    creation_ts: 1_700_000_000_000,
  };
}

const ACCOUNTS: readonly Account[] = [
  { name: OWN, admin: true },
  { name: '@a:example.org' },
  { name: '@b:example.org', is_guest: true },
  { name: '@root:example.org', admin: true },
  { name: '@c:example.org' },
  { name: '@gone:example.org', deactivated: true },
];

const run = (args: string, server = serverOf(ACCOUNTS), options: RunOptions = {}): Promise<Run> =>
  runForTest(args.split(' '), { env: FAKE_ENV, fetch: server.fetch, ...options });
const golden = async (name: string, result: Promise<Run>) =>
  expect(shown(await result)).toMatchFileSnapshot(`./golden/${name}.txt`);
const resultsOf = ({ stdout }: Run) =>
  JSON.parse(stdout).map(
    ({ result, user_id }: { result: string; user_id: string }) => `${result} ${user_id}`,
  );

it('shows what the filters select, and asks for their number', async () => {
  const server = serverOf(ACCOUNTS);
  const questions: string[] = [];
  const answering = (answer: string): RunOptions => ({
    terminal: 70,
    prompts: {
      text: async (question) => {
        questions.push(question);
        return answer;
      },
    },
  });
  const where = 'users deactivate --where name=spam --no-color';
  expect(await run(where, server, answering('yes'))).toMatchObject({ exitCode: 1, stdout: '' });
  expect(server.sent).toEqual([]);
  await golden('deactivate-where-terminal', run(where, server, answering('3')));
  expect(server.sent).toEqual(['@a:example.org {}', '@b:example.org {}', '@c:example.org {}']);
  expect(questions[1]).toContain('Type 3');
  const list = server.requests.find(({ path }) => path.includes('/v3/users'));
  expect(list?.path).toBe('/_service/admin/v3/users?deactivated=false&name=spam&limit=500');
  expect(await run(where, server)).toMatchObject({ exitCode: 0, stdout: '[]\n' });
});

it('acts on administrators only when told to, and never on oneself', async () => {
  const ids = `${OWN} @root:example.org @gone:example.org @a:example.org`;
  expect(resultsOf(await run(`users deactivate ${ids} --yes`))).toEqual([
    `skipped ${OWN}`,
    'skipped @root:example.org',
    'skipped @gone:example.org',
    'deactivated @a:example.org',
  ]);
  expect(resultsOf(await run(`users deactivate ${ids} --yes --include-admins --erase`))).toEqual([
    `skipped ${OWN}`,
    'erased @root:example.org',
    'erased @gone:example.org',
    'erased @a:example.org',
  ]);
  expect(resultsOf(await run('users deactivate --where guests=true --yes'))).toEqual([
    'deactivated @b:example.org',
  ]);
});

it('goes on after a failure, ends with 5, and skips what is done when it is repeated', async () => {
  let isRefused = true;
  const server = serverOf(ACCOUNTS, (id) =>
    isRefused && id.startsWith('@b')
      ? { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'No' } }
      : undefined,
  );
  const input = '@a:example.org\n@b:example.org\n@lost:example.org\n\n@c:example.org\n';
  await golden('deactivate-partly', run('users deactivate - --yes', server, { input }));
  isRefused = false;
  const again = await run('users deactivate - --yes', server, { input });
  expect(resultsOf(again)).toEqual([
    'skipped @a:example.org',
    'deactivated @b:example.org',
    'failed @lost:example.org',
    'skipped @c:example.org',
  ]);
  expect(await run('users deactivate @lost:example.org --yes', server)).toMatchObject({ exitCode: 1 });
});

it('ends early without a valid token', async () => {
  const server = serverOf(ACCOUNTS, () => ({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN', error: 'No' },
  }));
  const result = await run('users deactivate @a:example.org @c:example.org --yes', server);
  expect(resultsOf(result)).toEqual(['failed @a:example.org']);
  expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('1 not tried') });
});

it('finishes the account at work at Ctrl-C, and says what was done', async () => {
  const abort = new AbortController();
  const server = serverOf(ACCOUNTS, () => {
    abort.abort();
    return undefined;
  });
  const result = await run('users deactivate @a:example.org @c:example.org --yes', server, {
    signal: abort.signal,
  });
  expect(server.sent).toEqual(['@a:example.org {}']);
  expect(result).toMatchObject({
    exitCode: 130,
    stderr:
      '1 deactivated, 1 not tried of 2 accounts.\nInterrupted: the same command goes on with the rest.\n',
  });
});

it('changes nothing with --dry-run', async () => {
  const server = serverOf(ACCOUNTS);
  expect(resultsOf(await run('users deactivate --where name=x --dry-run', server))).toEqual(
    ['@a', '@b', '@c'].map((name) => `would be deactivated ${name}:example.org`),
  );
  expect(server.sent).toEqual([]);
});

it.each([
  'users deactivate',
  'users deactivate bob:example.org --yes',
  'users deactivate @a:b --where name=x --yes',
  'users deactivate --where name= --yes',
  'users deactivate --where deactivated=true --yes',
  'users deactivate --where lost=1 --yes',
  'users deactivate --where guests=perhaps --yes',
  'users deactivate --where name=a --where name=b --yes',
  'users deactivate --where name=a',
])('%s is refused with 2', async (args) => {
  const server = serverOf(ACCOUNTS);
  expect(await run(args, server)).toMatchObject({ exitCode: 2 });
  expect(server.sent).toEqual([]);
});
