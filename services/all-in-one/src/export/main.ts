import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { exportServer } from './export-server.ts';
import { openStored } from './open-stored.ts';

const USAGE = `Writes what the server of the settings stores to files that the import reads, while it may be running.

  npm run export -- --to <directory> [--user <user id>]

  --to <directory>  empty or missing; gets a file for each kind of records, and the files of media
  --user <user id>  only what is kept about this user, with other.ndjson for what the import does not read

Exits with 1 if the server lacks the bytes of a medium; the rest is exported.
`;

/** The owner only: the files contain password hashes and private messages. */
const PRIVATE_UMASK = 0o077;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      user: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help || values.to === undefined) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  process.umask(PRIVATE_UMASK);
  const config = loadConfig({ env: process.env });
  // SQLite sorts in files, for which the data directory has space.
  process.env.SQLITE_TMPDIR ??= config.server.data;
  const counts = await exportServer({
    directory: values.to,
    user: values.user,
    random: systemRandom,
    open: (spool) => openStored(config, systemRandom, spool),
    onProblem(problem) {
      process.stderr.write(`export: ${problem}\n`);
      process.exitCode = 1;
    },
  });
  for (const [name, count] of counts) process.stdout.write(`${name}.ndjson: ${count}\n`);
}

main().catch((error) => {
  const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
  for (const line of lines) process.stderr.write(`export: ${line}\n`);
  process.exitCode = 1;
});
