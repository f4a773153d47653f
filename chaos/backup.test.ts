import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDue } from '@steward/testing';
import { registerAdmin } from '@steward/topology/testing';
import { describe, expect, it } from 'vitest';
import { startLoad } from './backup-load.ts';
import { checkRestored } from './check-restored.ts';
import { missing, mongo, nats, oneProcess, run, type Scene, severalProcesses, temporary } from './scene.ts';

/** What reads, writes and cuts a backup. */
const GUARDS = [
  'chaos/',
  'services/all-in-one/src/backup/',
  'services/all-in-one/src/restore/',
  'packages/store/',
];

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
  const [name = ''] = (await readdir(backups)).filter((entry) => entry.startsWith('2'));
  const { cut } = JSON.parse(await readFile(join(backups, name, 'manifest.json'), 'utf8'));
  const faults = () => checkRestored(restored.url, token, load, cut, backupEndedTs);
  // The effects that were pending at the cut are applied after the start.
  await expect.poll(faults, { timeout: 60_000, interval: 500 }).toEqual([]);
}

describe('a backup of a server under load is restored as it was at one moment', () => {
  it.skipIf(!isDue('backup of one process', GUARDS))('in one process', { timeout: 120_000 }, () =>
    surviveRestore(oneProcess),
  );

  it.skipIf(missing || !isDue('backup of several processes', GUARDS))(
    `in several: ${mongo.title}, ${nats.title}`,
    { timeout: 240_000 },
    () => surviveRestore(severalProcesses),
  );
});
