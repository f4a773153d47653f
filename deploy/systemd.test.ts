import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const exec = promisify(execFile);

/** How long a process may drain, in seconds: DRAIN_TIMEOUT_MS of packages/runtime. */
const DRAIN_S = 20;

const unit = readFileSync(join(root, 'deploy/systemd/steward@.service'), 'utf8');
const settingOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
const workspace = settingOf('WorkingDirectory');

it('runs a process of the server with the Node that set-up installed', async () => {
  const [program = '', ...args] = settingOf('ExecStart').split(' ');
  expect(program.startsWith(`${workspace}/`)).toBe(true);
  const node = join(root, program.slice(workspace.length));
  expect(realpathSync(node)).toBe(realpathSync(process.execPath));
  const named = args.map((arg) => arg.replace('%i', 'gateway'));
  // The environment is that of systemd: without PATH.
  const { code, stderr } = await exec(node, named, { cwd: root, env: {} }).catch((error) => error);
  expect(stderr).toContain(
    'steward-gateway: The gateway needs to know the user service: set STEWARD_USER_URLS',
  );
  expect(code).toBe(1);
});

it('has enough time for an orderly stop', () => {
  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(DRAIN_S);
});
