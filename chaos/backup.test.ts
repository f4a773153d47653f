import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileCache, requireEngine, withLongTimeouts } from '@steward/testing';
import { startTopology } from '@steward/topology';
import { newSandbox, registerAdmin, SECRET, startOneProcess } from '@steward/topology/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLoad } from './backup-load.ts';
import { checkRestored } from './check-restored.ts';

type Environment = Readonly<Record<string, string>>;

/** A server, its settings and those of an empty place to which it is restored. */
interface Scene {
  readonly env: Environment;
  readonly emptyEnv: Environment;
  start(env: Environment): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');
const missing = mongo.url === undefined || nats.url === undefined;

const exec = promisify(execFile);

/** Runs a command of the package until it ends. */
async function run(
  command: 'backup' | 'restore',
  env: Environment,
  args: readonly string[],
): Promise<string> {
  const entry = fileURLToPath(new URL(`../services/all-in-one/src/${command}/main.ts`, import.meta.url));
  const { stdout } = await exec(process.execPath, [entry, ...args], { env: { ...compileCache(), ...env } });
  return stdout;
}

async function temporary(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'steward-backup-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}

async function oneProcess(): Promise<Scene> {
  const parent = await temporary();
  const env = (name: string) => ({
    STEWARD_DATA: join(parent, name),
    STEWARD_SERVER_NAME: 'test',
    STEWARD_LOG_LEVEL: 'error',
    STEWARD_RATE_LIMIT: 'off',
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({ registration: { shared_secret: SECRET } }),
  });
  return { env: env('data'), emptyEnv: env('restored'), start: startOneProcess };
}

async function severalProcesses(): Promise<Scene> {
  const settings = (config?: Record<string, unknown>) => {
    const sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
    onTestFinished(() => sandbox.drop());
    return sandbox.settings(config);
  };
  return {
    env: settings(),
    emptyEnv: settings(),
    async start(env) {
      const { url, close } = await startTopology({ env });
      return { url, stop: close };
    },
  };
}

async function surviveRestore(openScene: () => Promise<Scene>): Promise<void> {
  const { env, emptyEnv, start } = await openScene();
  const backups = join(await temporary(), 'backups');
  const server = await start(env);
  const token = await registerAdmin(server.url);
  const load = await startLoad(server.url, token);
  await load.more(5);
  await run('backup', env, ['--to', backups]);
  const backupEndedTs = Date.now();
  await load.more(2);
  await load.stop();
  await server.stop();

  await run('restore', emptyEnv, ['--from', backups]);
  const restored = await start(emptyEnv);
  onTestFinished(() => restored.stop());
  const [name = ''] = (await readdir(backups)).filter((entry) => entry.startsWith('2'));
  const { cut } = JSON.parse(await readFile(join(backups, name, 'manifest.json'), 'utf8'));
  const faults = () => checkRestored(restored.url, token, load, cut, backupEndedTs);
  // The effects that were pending at the cut are applied after the start.
  await expect.poll(faults, { timeout: 60_000, interval: 500 }).toEqual([]);
}

describe('a backup of a server under load is restored as it was at one moment', () => {
  it('in one process', { timeout: 120_000 }, () => surviveRestore(oneProcess));

  it.skipIf(missing)(`in several: ${mongo.title}, ${nats.title}`, { timeout: 240_000 }, () =>
    surviveRestore(severalProcesses),
  );
});
