import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const exec = promisify(execFile);

/** How long a process may drain, in seconds: DRAIN_TIMEOUT_MS of packages/runtime. */
const DRAIN_S = 20;

const unit = (name: string) => readFileSync(join(root, 'deploy/systemd', name), 'utf8');
const settingOf = (text: string, key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '';

/** The command of a unit, with this workspace in place of that of the machine. */
function commandOf(text: string): readonly string[] {
  const workspace = settingOf(text, 'WorkingDirectory');
  const [program = '', ...args] = settingOf(text, 'ExecStart').split(' ');
  expect(program.startsWith(`${workspace}/`)).toBe(true);
  return [join(root, program.slice(workspace.length)), ...args];
}

it('runs a process of the server with the Node that set-up installed', async () => {
  const [program = '', ...args] = commandOf(unit('steward@.service'));
  const named = args.map((arg) => arg.replace('%i', 'gateway'));
  // The environment is that of systemd: without PATH.
  const { code, stderr } = await exec(program, named, { cwd: root, env: {} }).catch((error) => error);
  expect(stderr).toContain(
    'steward-gateway: The gateway needs to know the user service: set STEWARD_USER_URLS',
  );
  expect(code).toBe(1);
});

it('has enough time for an orderly stop', () => {
  expect(Number(settingOf(unit('steward@.service'), 'TimeoutStopSec'))).toBeGreaterThan(DRAIN_S);
});

it('starts and stops the processes of a server together', () => {
  const wanted = [...settingOf(unit('steward.target'), 'Wants').matchAll(/steward@([^.]+)\.service/g)];
  const names = wanted.map(([, name = '']) => name);
  expect(names.toSorted()).toEqual(['gateway', 'media', 'moderation', 'room', 'user']);
  for (const name of names) expect(COMMANDS).toHaveProperty(name);
  // In the reverse order when they stop.
  const after = settingOf(unit('steward@gateway.service.d/order.conf'), 'After').split(' ');
  expect(after).toEqual(names.filter((name) => name !== 'gateway').map((name) => `steward@${name}.service`));
  expect(settingOf(unit('steward@.service'), 'PartOf')).toBe('steward.target');
});

it('makes backups of the data of the processes, with the settings of the processes', async () => {
  const backup = unit('steward-backup.service');
  const [program = '', ...args] = commandOf(backup);
  const { stdout } = await exec(program, [...args, '--help'], { cwd: root, env: {} });
  expect(stdout).toContain('steward backup');
  for (const key of ['User', 'WorkingDirectory', 'Environment'])
    expect(settingOf(backup, key)).toBe(settingOf(unit('steward@.service'), key));
  // What the service may write to.
  const [, target = ''] = /--to (\S+)/.exec(settingOf(backup, 'ExecStart')) ?? [];
  const writable = settingOf(backup, 'StateDirectory').split(' ');
  expect(writable.map((name) => `/var/lib/${name}`)).toEqual(['/var/lib/steward', target]);
});
