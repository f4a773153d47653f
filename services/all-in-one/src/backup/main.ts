import { usesEmbeddedStore } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import { runCommand } from '../command/run-command.ts';
import { sayResult } from '../command/say.ts';
import { databaseSource } from './database-source.ts';
import { embeddedSource } from './embedded-source.ts';
import { takeBackup } from './take-backup.ts';

const USAGE = `Copies everything that the server of the settings stores, while it may be running.

  steward backup --to <directory>

  --to <directory>  where each backup gets a folder; all backups there share the files of media, so that the
                    next one copies only new ones

Exits with 1 if the server lacks the bytes of a medium, or has other bytes; the rest is in the backup.
`;

const BYTES_PER_MB = 1_000_000;

runCommand(process.env, {
  name: 'backup',
  usage: USAGE,
  required: 'to',
  async run({ to }, config, onProblem, progress) {
    const open = usesEmbeddedStore(config) ? embeddedSource : databaseSource;
    const source = await open(config, systemClock, systemRandom);
    try {
      const began = performance.now();
      const { folder, manifest, copiedBytes } = await takeBackup({
        source,
        directory: to,
        clock: systemClock,
        random: systemRandom,
        onProblem,
        progress,
      });
      const documents = Object.values(manifest.documents).reduce((sum, count) => sum + count, 0);
      const files = Object.values(manifest.files).reduce((sum, { length }) => sum + length, 0);
      const megabytes = (bytes: number) => `${Math.ceil(bytes / BYTES_PER_MB)} MB`;
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      sayResult(
        `${folder}: ${documents} documents (${megabytes(files)}), ${manifest.media.blobs} files of media (${megabytes(manifest.media.bytes)}, of which new ${megabytes(copiedBytes)}), in ${seconds} s`,
      );
    } finally {
      await source.close();
    }
  },
});
