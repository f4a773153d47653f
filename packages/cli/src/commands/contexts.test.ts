import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeRequest, fakeServer } from '../testing/fake-server.ts';
import { type RunOptions, runForTest } from '../testing/run-for-test.ts';

const SERVER = 'https://one.example';

let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stewardctl-'));
  file = join(home, 'stewardctl', 'config.json');
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Answers who the token is; `bad` is not a token. */
function answers({ path, headers, body }: FakeRequest) {
  const token = headers.get('authorization')?.slice('Bearer '.length) ?? '';
  if (path === '/_proto/client/v3/login') {
    const { password } = body as { readonly password: string };
    if (password === 'wonderland') return { body: { access_token: 'from-login', user_id: '@alice:one' } };
    return { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'Invalid password' } };
  }
  if (token === 'bad') return { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown token' } };
  return path === '/_service/admin/v1/me' ? { body: { user_id: `@${token}:one`, scopes: [] } } : { body: {} };
}

async function ctl(args: string, options: RunOptions = {}) {
  const server = fakeServer(answers);
  const env = { XDG_CONFIG_HOME: home, ...options.env };
  const result = await runForTest(args.split(' '), { ...options, fetch: server.fetch, env });
  const sent = server.requests.map(({ method, path }) => `${method} ${path}`);
  return { ...result, sent };
}
const contexts = async () => JSON.parse((await ctl('context list')).stdout);

describe('contexts', () => {
  it('come from the standard input, the environment or a question, and only their owner can read them', async () => {
    expect(await ctl(`login ${SERVER}/`, { input: 'alice\n' })).toMatchObject({
      exitCode: 0,
      sent: ['GET /_service/admin/v1/me'],
    });
    expect(await ctl('login two.example --name second', { env: { STEWARD_TOKEN: 'bob' } })).toMatchObject({
      exitCode: 0,
    });
    const secret = async () => 'carol';
    expect(await ctl('login three.example', { terminal: 80, prompts: { secret } })).toMatchObject({
      exitCode: 0,
    });
    expect(await contexts()).toEqual([
      { name: 'one.example', server: SERVER, user: '@alice:one', current: false },
      { name: 'second', server: 'https://two.example', user: '@bob:one', current: false },
      { name: 'three.example', server: 'https://three.example', user: '@carol:one', current: true },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, 'stewardctl'))).mode & 0o777).toBe(0o700);
  });

  it('contexts are not kept for a token that the server does not know', async () => {
    expect(await ctl(`login ${SERVER}`, { input: 'bad' })).toMatchObject({ exitCode: 4 });
    expect(await ctl(`login ${SERVER}`, { input: '' })).toMatchObject({ exitCode: 2, sent: [] });
    expect(await ctl('login ftp://one.example', { input: 'alice' })).toMatchObject({ exitCode: 2, sent: [] });
    expect(await ctl('login https://a:b@one.example', { input: 'alice' })).toMatchObject({
      exitCode: 2,
      sent: [],
    });
    expect(await contexts()).toEqual([]);
  });

  it('contexts are chosen by flag, variable and command, and their tokens go to no other server', async () => {
    await ctl(`login ${SERVER} --name a`, { input: 'alice' });
    await ctl(`login ${SERVER} --name b`, { input: 'bob' });
    const user = async (args: string, env: RunOptions['env'] = {}) => {
      const { stdout, exitCode } = await ctl(`whoami${args}`, { env });
      return exitCode === 0 ? JSON.parse(stdout).user_id : exitCode;
    };
    expect(await user('')).toBe('@bob:one');
    expect(await user(' --context a')).toBe('@alice:one');
    expect(await user('', { STEWARD_TOKEN: 'carol' })).toBe('@carol:one');
    expect(await user('', { STEWARD_TOKEN: 'carol', STEWARD_SERVER: 'https://x.example' })).toBe(
      '@carol:one',
    );
    expect(await user(' --server https://x.example')).toBe(2);
    expect(await user(' --context a', { STEWARD_TOKEN: 'carol', STEWARD_SERVER: 'https://x.example' })).toBe(
      '@alice:one',
    );
    expect(await user(' --context a --server https://x.example')).toBe(2);
    expect(await user(' --context lost')).toBe(2);
    expect(await ctl('context use a')).toMatchObject({ exitCode: 0 });
    expect(await user('')).toBe('@alice:one');
    expect(await ctl('context use lost')).toMatchObject({ exitCode: 2 });
    expect(await ctl('context remove a')).toMatchObject({ exitCode: 0 });
    expect(await user('')).toBe(2);
    expect((await contexts()).map(({ name }: { name: string }) => name)).toEqual(['b']);
  });

  it('of a login with a password end with it', async () => {
    expect(await ctl(`login ${SERVER} --user alice`, { input: 'wrong' })).toMatchObject({ exitCode: 4 });
    expect(await ctl(`login ${SERVER} --user alice`, { input: 'wonderland' })).toMatchObject({ exitCode: 0 });
    expect(await ctl('logout')).toMatchObject({ exitCode: 0, sent: ['POST /_proto/client/v3/logout'] });
    expect(await ctl('logout')).toMatchObject({ exitCode: 2, sent: [] });
    await ctl(`login ${SERVER}`, { input: 'alice' });
    expect(await ctl('logout')).toMatchObject({ exitCode: 0, sent: [] });
    expect(await contexts()).toEqual([]);
  });

  it('contexts are all there after several logins at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => ctl(`login ${SERVER} --name ${name}`, { input: name })));
    expect((await contexts()).map(({ name }: { name: string }) => name).sort()).toEqual(names);
  });

  it('lose the rights of others when they are read, and are refused when they are none', async () => {
    await ctl(`login ${SERVER}`, { input: 'alice' });
    await chmod(file, 0o644);
    const { stderr } = await ctl('whoami');
    expect(stderr).toContain('was readable by other users');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, '{"contexts":[]}');
    expect(await ctl('whoami')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(file) });
    expect(await ctl(`login ${SERVER}`, { input: 'alice' })).toMatchObject({ exitCode: 1 });
    expect(await readFile(file, 'utf8')).toBe('{"contexts":[]}');
    const env = { STEWARD_SERVER: SERVER, STEWARD_TOKEN: 'carol' };
    expect(await ctl('whoami', { env })).toMatchObject({ exitCode: 0 });
  });
});
