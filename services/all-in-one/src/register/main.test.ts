import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SECRET_FILE } from '@steward/runtime';
import { sendHttp } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, runCommand, type ServerProcess, type Site } from '../fixtures/processes.ts';
import { registerAccount } from './register-account.ts';

let site: Site;
let data: string;
let server: ServerProcess;
let port: string;
beforeAll(async () => {
  site = await openSite();
  ({ data } = site);
  server = await site.start();
  port = new URL(server.url).port;
});
afterAll(() => site.close());

/** Runs the command as the banner describes, on the machine of the server. */
function register(args: readonly string[], input = '') {
  return runCommand('register', {
    args,
    input,
    settings: { STEWARD_DATA: data, STEWARD_PORT: port },
  });
}

const login = (user: string, password: string) =>
  sendHttp<{ access_token: string }>(server.url, 'POST', '/_proto/client/v3/login', {
    body: { type: 'm.login.password', identifier: { type: 'm.id.user', user }, password },
  });

describe.concurrent('the command', () => {
  it('creates an administrator with the password from a flag', async () => {
    const { code, stdout, stderr } = await register([
      '--admin',
      '--password',
      'from a flag',
      '--displayname',
      'Alice A.',
      'alice',
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^register: .*--password.* list of processes.*\n$/);
    expect(stdout).toBe('@alice:localhost was created as a server administrator.\n');
    const { body } = await login('alice', 'from a flag');
    const path = '/_service/admin/v2/users/@alice:localhost';
    expect(await sendHttp(server.url, 'GET', path, { token: body.access_token })).toMatchObject({
      status: 200,
      body: { admin: 1, displayname: 'Alice A.', user_type: null },
    });
  });

  it('reads the password from standard input', async () => {
    const { code, stdout, stderr } = await register(['--user-type', 'bot', 'Bob'], 'from standard input\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('@bob:localhost was created.\n');
    expect(stdout).not.toContain('from standard input');
    expect(await login('bob', 'from standard input')).toMatchObject({ status: 200 });
  });

  it.each([
    ['from a file', ['--password-file', 'password'], ''],
    ['from standard input as a file', ['--password-file', '-'], 'from standard input as a file\nmore'],
    ['from standard input', ['--password-stdin'], 'from standard input\n'],
  ])('reads the password %s, and warns of nothing', async (password, args, input) => {
    const name = `reader${input.length}`;
    const file = join(data, 'password');
    await writeFile(file, 'from a file\n');
    const named = args.map((arg) => (arg === 'password' ? file : arg));
    expect(await register([...named, name], input)).toMatchObject({ code: 0, stderr: '' });
    expect(await login(name, password)).toMatchObject({ status: 200 });
  });

  it('reads user name and password from standard input', async () => {
    const { code, stdout } = await register([], 'carol\r\nher password');
    expect(code).toBe(0);
    expect(stdout).toContain('@carol:localhost was created.\n');
    expect(await login('carol', 'her password')).toMatchObject({ status: 200 });
  });

  it('prints its usage', async () => {
    const { code, stdout } = await register(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('steward register [--admin]');
  });
});

describe.concurrent('the command fails', () => {
  const refused = async (...args: Parameters<typeof register>) => {
    const { code, stdout, stderr } = await register(...args);
    expect(code).toBe(1);
    expect(stdout).not.toContain('created');
    expect(stderr).toMatch(/^(?:register: .+\n)+$/);
    return stderr;
  };

  it('when standard input ends before the password', async () => {
    expect(await refused(['dave'])).toMatch(/password/i);
  });

  it('when the password is empty, cannot be read, or is given twice', async () => {
    expect(await refused(['--password-stdin', 'dave'], '\n')).toContain('empty');
    expect(await refused(['--password-file', join(data, 'nowhere'), 'dave'])).toContain('nowhere');
    expect(await refused(['--password-stdin', '--password-file', 'x', 'dave'])).toContain('Only one');
  });

  it('when the name is taken', async () => {
    await registerAccount({
      url: server.url,
      secret: await readFile(join(data, SECRET_FILE), 'utf8').then((text) => text.trim()),
      username: 'taken',
      password: 'p',
      admin: false,
    });
    expect(await refused(['--password', 'p', 'TAKEN'])).toContain('taken');
  });

  it('when the secret is wrong', async () => {
    const file = join(data, 'wrong-secret');
    await writeFile(file, 'wrong\n');
    expect(await refused(['--secret-file', file, '--password', 'p', 'eve'])).toContain('MAC');
  });

  it('when there is no secret', async () => {
    const file = join(data, 'no-secret');
    expect(await refused(['--secret-file', file, '--password', 'p', 'eve'])).toContain(file);
  });

  it('when no server answers', async () => {
    // The server listens only on the IPv4 address.
    const url = `http://[::1]:${port}`;
    expect(await refused(['--url', url, '--password', 'p', 'eve'])).toContain(`No server answers at ${url}`);
  });

  it('when another program answers', async () => {
    const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await refused(['--url', url, '--password', 'p', 'eve'])).toContain(url);
    other.close();
  });

  it('when the address or a flag is invalid', async () => {
    expect(await refused(['--url', 'nowhere', '--password', 'p', 'eve'])).toContain('nowhere');
    expect(await refused(['--administrator', 'eve'])).toContain('--administrator');
  });
});
