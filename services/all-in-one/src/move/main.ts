import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, usesEmbeddedStore } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { moveServer } from './move-server.ts';

const USAGE = `Moves a server from the embedded store to the database of the settings, which must be empty.

  npm run move -- --from <data directory>

  --from <data directory>  where the embedded store is; it stays as it is, and its server must not be running

STEWARD_STORE and STEWARD_NATS_URL name where to; media go to STEWARD_DATA, or to the database with
STEWARD_MEDIA_STORE=gridfs. An interrupted move can be repeated.
`;

/** The owner only, like the rest of the data directory. */
const PRIVATE_UMASK = 0o077;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help || values.from === undefined) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  process.umask(PRIVATE_UMASK);
  const config = loadConfig({ env: process.env });
  if (usesEmbeddedStore(config)) throw new Error('STEWARD_STORE must be the mongodb:// URL of a database.');
  const began = performance.now();
  const { documents, blobs } = await moveServer(values.from, config, systemRandom, (problem) => {
    process.stderr.write(`move: ${problem}\n`);
    process.exitCode = 1;
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(
    `${documents} documents and ${blobs} files of media were moved in ${seconds} s. The first start builds indexes.\n`,
  );
}

main().catch((error) => {
  const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
  for (const line of lines) process.stderr.write(`move: ${line}\n`);
  process.exitCode = 1;
});
