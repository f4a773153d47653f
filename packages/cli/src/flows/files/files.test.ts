import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAKE_ENV, type FakeAnswer, type FakeRequest, fakeServer } from '../../testing/fake-server.ts';
import { type RunOptions, runForTest } from '../../testing/run-for-test.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctl-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(
  args: readonly string[],
  answers: (request: FakeRequest) => FakeAnswer | undefined,
  options: RunOptions = {},
) {
  const server = fakeServer(answers);
  const result = await runForTest([...args, '--jq', '.result'], {
    env: FAKE_ENV,
    fetch: server.fetch,
    ...options,
  });
  const sent = server.requests.map(
    ({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? null)}`,
  );
  return { ...result, sent };
}

describe('export', () => {
  const answers = ({ path }: FakeRequest): FakeAnswer | undefined => {
    if (path.includes('/v3/users'))
      return path.includes('from=1')
        ? { body: { users: [{ name: '@b:b' }], total: 2 } }
        : { body: { users: [{ name: '@日本:b' }], next_token: '1', total: 2 } };
    if (path.includes('/export')) return { body: '{"kind":"header"}\n{"kind":"end"}\n' };
    return undefined;
  };
  const kinds = ['--kind', 'users', '--kind', 'audit-log', '--kind', 'roles'];

  it('writes a file for each list, for its owner only, and goes on where it stopped', async () => {
    const to = join(folder, 'new');
    expect(await run(['export', to, ...kinds], answers)).toMatchObject({
      exitCode: 5,
      stdout: 'exported\nexported\nfailed\n',
    });
    expect((await readdir(to)).sort()).toEqual(['audit-log.ndjson', 'users.ndjson']);
    expect(await readFile(join(to, 'users.ndjson'), 'utf8')).toBe('{"name":"@日本:b"}\n{"name":"@b:b"}\n');
    expect((await stat(join(to, 'users.ndjson'))).mode & 0o777).toBe(0o600);
    const again = await run(['export', to, ...kinds], () => ({ body: { roles: [] } }));
    expect(again).toMatchObject({ exitCode: 0, stdout: 'skipped\nskipped\nexported\n' });
  });

  it('refuses what is not a list, and a folder that cannot be made', async () => {
    expect(await run(['export', folder, '--kind', 'lost'], answers)).toMatchObject({ exitCode: 2, sent: [] });
    await writeFile(join(folder, 'file'), '');
    expect(await run(['export', join(folder, 'file', 'x')], answers)).toMatchObject({
      exitCode: 2,
      sent: [],
    });
  });
});

describe('import', () => {
  const answers = ({ method, path }: FakeRequest): FakeAnswer =>
    method === 'GET' && !path.includes('old')
      ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No' } }
      : { body: { name: 'x' } };
  const FILE =
    '{"user_id":"@new:b","displayname":"日本","password":"secret"}\n\n{"user_id":"@old:b","admin":true}\n';

  it('creates accounts, and changes those that exist only when told to', async () => {
    const created = await run(['import', '-'], answers, { input: FILE });
    expect(created).toMatchObject({ exitCode: 0, stdout: 'created\nskipped\n' });
    expect(created.sent.filter((line) => line.startsWith('PUT'))).toEqual([
      'PUT /_service/admin/v2/users/%40new%3Ab {"displayname":"日本","password":"secret"}',
    ]);
    expect(await run(['import', '-', '--update'], answers, { input: FILE })).toMatchObject({
      exitCode: 2,
      sent: [],
    });
    const updated = await run(['import', '-', '--update', '--yes'], answers, { input: FILE });
    expect(updated).toMatchObject({ exitCode: 0, stdout: 'created\nupdated\n' });
    const dry = await run(['import', '-', '--dry-run'], answers, { input: FILE });
    expect(dry.stdout).toBe('would be created\nskipped\n');
    expect(dry.sent.some((line) => line.startsWith('PUT'))).toBe(false);
  });

  it.each([
    ['', 'no accounts'],
    ['{', 'line 1 is not JSON'],
    ['[]', 'line 1 is not a JSON object'],
    ['{"user_id":"bob"}', 'user_id'],
    ['{"displayname":"x"}', 'user_id'],
    ['{"user_id":"@a:b","admin":1}', 'admin is boolean'],
    ['{"user_id":"@a:b","pasword":"geheim"}', 'pasword'],
    ['{"user_id":"@a:b","deactivated":true}', 'deactivated'],
    ['{"user_id":"@a:b","__proto__":"x"}', '__proto__'],
    ['{"user_id":"@a:b"}\n{"user_id":"@a:b"}', 'line 2: @a:b is on line 1'],
  ])('refuses the file %j before any request', async (input, message) => {
    const { exitCode, sent, stderr } = await run(['import', '-'], answers, { input });
    expect({ exitCode, sent, stderr }).toMatchObject({
      exitCode: 2,
      sent: [],
      stderr: expect.stringContaining(message),
    });
    expect(stderr).not.toContain('geheim');
  });
});
