import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCache, programPath, requireEngine, withLongTimeouts } from '@steward/testing';
import { startTopology } from '@steward/topology';
import { newSandbox, SECRET, startOneProcess } from '@steward/topology/testing';
import { onTestFinished } from 'vitest';
import { openSeveralProcesses, type SeveralOptions } from './several-processes.ts';
import type { Site } from './site.ts';

/** The settings of a server, as environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** A server, its settings and those of an empty place to which it is restored. */
export interface Scene {
  readonly env: Environment;
  readonly emptyEnv: Environment;
  start(env: Environment): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** The engines of several processes. */
export const mongo = requireEngine('mongo');
export const nats = requireEngine('nats');
/** Whether an engine is not available here. */
export const missing = mongo.url === undefined || nats.url === undefined;

const exec = promisify(execFile);

/** Starts the server as several processes, one of each service, on the engines of the environment. */
export function openOnEngines(
  options: Pick<SeveralOptions, 'natsServer' | 'engines' | 'whole'>,
): Promise<Site> {
  return openSeveralProcesses({ mongo: mongo.url ?? '', nats: nats.url ?? '', instances: 1, ...options });
}

/** Runs a command of the package until it ends. */
export async function run(
  command: 'backup' | 'restore' | 'move',
  env: Environment,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await exec(process.execPath, [programPath(command), ...args], {
    env: { ...compileCache(), ...env },
  });
  return stdout;
}

/** Creates a directory that is removed when the test ends. */
export async function temporary(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'steward-backup-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}

/** A server in one process. */
export async function oneProcess(): Promise<Scene> {
  const parent = await temporary();
  const env = (name: string) => ({
    STEWARD_DATA: join(parent, name),
    STEWARD_SERVER_NAME: 'test',
    STEWARD_LOG_LEVEL: 'error',
    STEWARD_RATE_LIMIT: 'off',
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({ registration: { shared_secret: SECRET } }),
  });
  return {
    env: env('data'),
    emptyEnv: env('restored'),
    start: async (at) => endingWithTest(await startOneProcess(at)),
  };
}

/** A server as several processes. */
export async function severalProcesses(): Promise<Scene> {
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
      return endingWithTest({ url, stop: close });
    },
  };
}

/** Stops a server at the end of the test, also of one that fails. */
function endingWithTest<S extends { stop(): Promise<void> }>(server: S): S {
  onTestFinished(() => server.stop());
  return server;
}
