import { constants, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTopology } from '@steward/topology';
import { type Child, type Engines, newSandbox, SECRET, startOneProcess } from '@steward/topology/testing';

/** The environment of `npm start`. */
const ENVIRONMENT = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '2' };

/** A server with usual settings. */
export interface Site {
  readonly url: string;
  /** The URLs of the ports of the services. */
  readonly services: readonly string[];
  /** The resident memory of each process by its name, in MB. */
  memory(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** The data that a server starts on. */
export interface Stored {
  /** A data directory that no server uses. */
  readonly directory: string;
  /** The name of the server whose data it is. */
  readonly serverName: string;
}

/**
 * Starts the server in one process, on the embedded engine.
 *
 * @param stored the data of which the server gets a copy; without it, the server starts on no data
 */
export async function openOneProcess(stored?: Stored): Promise<Site> {
  const data = await mkdtemp(join(tmpdir(), 'steward-hostile-'));
  if (stored) await cp(stored.directory, data, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const child = await startOneProcess({
    ...ENVIRONMENT,
    ...(stored && { STEWARD_SERVER_NAME: stored.serverName }),
    STEWARD_DATA: data,
    STEWARD_LOG_LEVEL: 'error',
    STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
  });
  return {
    url: child.url,
    services: [],
    memory: () => memoryOf([['server', child]]),
    async close() {
      await child.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Starts the server as several processes. */
export async function openSeveralProcesses(engines: Engines): Promise<Site> {
  const sandbox = newSandbox(engines);
  const { STEWARD_CONFIG_OVERRIDES: _, ...env } = sandbox.settings();
  const topology = await startTopology({
    env: {
      ...env,
      STEWARD_REGISTRATION_SHARED_SECRET: SECRET,
      STEWARD_CONFIG_OVERRIDES: JSON.stringify({ bus: { namespace: sandbox.namespace } }),
    },
  });
  const { gateways, user, room, media, moderation } = topology;
  const named = Object.entries({ gateway: gateways, user, room, media, moderation }).flatMap(
    ([name, children]) => children.map((child): [string, Child] => [name, child]),
  );
  return {
    url: topology.url,
    services: [user, room, media, moderation].flat().map(({ url }) => url),
    memory: () => memoryOf(named),
    async close() {
      await topology.close();
      await sandbox.drop();
    },
  };
}

function memoryOf(children: readonly (readonly [string, Child])[]): ReadonlyMap<string, number> {
  return new Map(
    children.map(([name, { pid }]) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return [name, Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)];
    }),
  );
}
