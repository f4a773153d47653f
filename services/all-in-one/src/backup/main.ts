import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, usesEmbeddedStore } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import { databaseSource } from './database-source.ts';
import { embeddedSource } from './embedded-source.ts';
import { takeBackup } from './take-backup.ts';

const USAGE = `Copies everything that the server of the settings stores, while it may be running.

  npm run backup -- --to <directory>

  --to <directory>  where each backup gets a folder; all backups there share the files of media, so that the
                    next one copies only new ones

Exits with 1 if the server lacks the bytes of a medium, or has other bytes; the rest is in the backup.
`;

/** The owner only: backups contain password hashes and keys. */
const PRIVATE_UMASK = 0o077;

const BYTES_PER_MB = 1_000_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help || values.to === undefined) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  process.umask(PRIVATE_UMASK);
  const config = loadConfig({ env: process.env });
  const open = usesEmbeddedStore(config) ? embeddedSource : databaseSource;
  const source = await open(config, systemClock, systemRandom);
  try {
    const began = performance.now();
    const { folder, manifest, copiedBytes } = await takeBackup({
      source,
      directory: values.to,
      clock: systemClock,
      random: systemRandom,
      onProblem(problem) {
        process.stderr.write(`backup: ${problem}\n`);
        process.exitCode = 1;
      },
    });
    const documents = Object.values(manifest.documents).reduce((sum, count) => sum + count, 0);
    const files = Object.values(manifest.files).reduce((sum, { length }) => sum + length, 0);
    const megabytes = (bytes: number) => `${Math.ceil(bytes / BYTES_PER_MB)} MB`;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    process.stdout.write(
      `${folder}: ${documents} documents (${megabytes(files)}), ${manifest.media.blobs} files of media (${megabytes(manifest.media.bytes)}, of which new ${megabytes(copiedBytes)}), in ${seconds} s\n`,
    );
  } finally {
    await source.close();
  }
}

main().catch((error) => {
  const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
  for (const line of lines) process.stderr.write(`backup: ${line}\n`);
  process.exitCode = 1;
});
