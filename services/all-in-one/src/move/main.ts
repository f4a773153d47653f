import { usesEmbeddedStore } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { runCommand } from '../command/run-command.ts';
import { sayResult } from '../command/say.ts';
import { moveServer } from './move-server.ts';

const USAGE = `Moves a server from the embedded store to the database of the settings, which must be empty.

  steward move --from <data directory>

  --from <data directory>  where the embedded store is; it stays as it is, and its server must not be running

STEWARD_STORE and STEWARD_NATS_URL name where to; media go to STEWARD_DATA, or to the database with
STEWARD_MEDIA_STORE=gridfs. An interrupted move can be repeated.
`;

runCommand(process.env, {
  name: 'move',
  usage: USAGE,
  required: 'from',
  async run({ from }, config, onProblem, progress) {
    if (usesEmbeddedStore(config)) throw new Error('STEWARD_STORE must be the mongodb:// URL of a database.');
    const began = performance.now();
    const { documents, blobs } = await moveServer(from, config, systemRandom, onProblem, progress);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    sayResult(
      `${documents} documents and ${blobs} files of media were moved in ${seconds} s. The first start builds indexes.`,
    );
  },
});
