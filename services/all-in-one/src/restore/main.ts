import { type Config, usesEmbeddedStore } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import type { Manifest } from '../backup/manifest.ts';
import { runCommand } from '../command/run-command.ts';
import { sayResult } from '../command/say.ts';
import { findBackup } from './find-backup.ts';
import { restoreDatabase } from './restore-database.ts';
import { restoreEmbedded } from './restore-embedded.ts';

const USAGE = `Restores a backup into the store of the settings, which must be empty.

  steward restore --from <directory>

  --from <directory>  the folder of a backup, or the directory of the backups, of which the newest is restored

Every file is compared with its digest before the server can see it. An interrupted restore can be repeated.
`;

runCommand(process.env, {
  name: 'restore',
  usage: USAGE,
  required: 'from',
  async run({ from }, config, _onProblem, progress) {
    const began = performance.now();
    const backup = await findBackup(from, systemRandom, progress);
    checkTarget(backup.manifest, config);
    const restore = usesEmbeddedStore(config) ? restoreEmbedded : restoreDatabase;
    await restore(backup, config, systemClock, systemRandom, progress);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    sayResult(`${backup.folder} was restored in ${seconds} s.`);
  },
});

/** @throws Error with a message of one line when the settings are for another server or engine */
function checkTarget(manifest: Manifest, config: Config): void {
  if (manifest.server_name !== config.server.name) {
    throw new Error(
      `The backup is of the server ${manifest.server_name}, but STEWARD_SERVER_NAME is ${config.server.name}.`,
    );
  }
  const engine = usesEmbeddedStore(config) ? 'sqlite' : 'mongodb';
  if (manifest.engine !== engine) {
    throw new Error(
      `The backup is of a store on ${manifest.engine}, but STEWARD_STORE names one on ${engine}.`,
    );
  }
}
