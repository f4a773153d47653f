import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSandbox, type Sandbox } from './fixtures/sandbox.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const READY = /ready at (\S+),[\s\S]*User service +(\S+)[\s\S]*Registration secret/;
const TIMEOUT_MS = 180_000;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');

function launch(settings: Readonly<Record<string, string>>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  return { child, output: () => output };
}

describe.skipIf(!mongo.url || !nats.url)(`the topology's entry: ${mongo.title}, ${nats.title}`, () => {
  let data: string;
  let sandbox: Sandbox;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'steward-topology-'));
    sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
  });
  afterAll(async () => {
    await rm(data, { recursive: true, force: true });
    await sandbox.drop();
  });

  it('starts all processes, stores the secret, and ends all processes', { timeout: TIMEOUT_MS }, async () => {
    const { child, output } = launch({
      ...sandbox.settings(),
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ bus: { namespace: sandbox.namespace } }),
      STEWARD_PORT: '0',
      STEWARD_DATA: join(data, 'data'),
    });
    await expect.poll(output, { timeout: TIMEOUT_MS }).toMatch(READY);
    const [, gateway = '', user = ''] = READY.exec(output()) ?? [];
    await expect.poll(async () => (await fetch(`${gateway}/health`)).status).toBe(200);
    expect((await fetch(`${gateway}/_service/admin/v1/register`)).status).toBe(200);
    const secret = await stat(join(data, 'data', 'registration_shared_secret'));
    expect(secret.mode & 0o777).toBe(0o600);

    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    for (const url of [gateway, user]) await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('reports in one line which setting is invalid', { timeout: TIMEOUT_MS }, async () => {
    const { child, output } = launch({ ...sandbox.settings(), STEWARD_PORT: 'x', STEWARD_DATA: data });
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(output()).toBe('steward-topology: server.port (STEWARD_PORT): must be a number\n');
  });
});
