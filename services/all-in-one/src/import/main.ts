import { createReadStream, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '@steward/config';
import { rateOf, showMeanwhile } from '../command/progress.ts';
import { reasonOf } from '../command/reason-of.ts';
import { reportErrors } from '../command/report-errors.ts';
import { say } from '../command/say.ts';
import { importRecords, type Progress } from './import-records.ts';
import { KINDS } from './kinds.ts';
import { checkedFiles } from './manifest.ts';
import { openServices } from './open-services.ts';

const USAGE = `Loads an export, or records from NDJSON files, and the files that media name.

  steward import [--strict] <folder of an export>
  steward import [--strict] users.ndjson devices.ndjson ...
  steward import --kind users - < some-file

An export is checked before anything is loaded: its manifest has the server and a digest of each file. Single files
are loaded in the order in which they are named.

The kind of records is the file's name without its ending, or --kind. The server of the data directory
must not be running, unless the settings name services to talk to.

  --strict       stop after the batch of up to 1,000 lines with the first bad one; without it, the others are loaded and the exit is non-zero
  --kind <kind>  ${[...KINDS.keys()].join(', ')}: for standard input (-) or a file of another name
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      strict: { type: 'boolean', default: false },
      kind: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help || positionals.length === 0) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const config = loadConfig({ env: process.env });
  // SQLite sorts the entries of new indexes in files, for which the data directory has space.
  process.env.SQLITE_TMPDIR ??= config.server.data;
  const files = await filesOf(positionals, config.server.name);
  const services = await openServices(config);
  try {
    for (const file of files) {
      const name = values.kind ?? basename(file).replace(/\.[^.]*$/, '');
      const kindOf = KINDS.get(name);
      if (!kindOf)
        throw new Error(
          `${file}: there are no records of kind ${name}; there are ${[...KINDS.keys()].join(', ')}`,
        );
      const began = performance.now();
      const lineOf = ({ lines, loaded, skipped, bad }: Progress, elapsedMs: number) =>
        `${file}: ${lines} lines, ${loaded} loaded, ${skipped} already there, ${bad} bad, ${rateOf(loaded + skipped, elapsedMs)}/s`;
      let soFar: Progress = { lines: 0, loaded: 0, skipped: 0, bad: 0 };
      const shown = showMeanwhile((elapsedMs) => lineOf(soFar, elapsedMs));
      const progress = await importRecords(
        file === '-' ? process.stdin : createReadStream(file),
        kindOf(services, dirname(file)),
        {
          strict: values.strict,
          batchesInFlight: services.batchesInFlight,
          onProblem: (line, problem) => say(`${file}:${line}: ${problem}`),
          onProgress(now) {
            soFar = now;
            shown.update();
          },
        },
      )
        .catch((cause: Error) => {
          const message = `${file}: ${reasonOf(cause)}. The import is not complete: the same command goes on.`;
          throw new Error(message, { cause });
        })
        .finally(shown.stop);
      say(lineOf(progress, performance.now() - began));
      if (progress.bad > 0) process.exitCode = 1;
      if (progress.bad > 0 && values.strict) break;
    }
  } catch (error) {
    // On a full disk what is open cannot be closed either.
    await services.close().catch(() => {});
    throw error;
  }
  await services.close();
}

/** The files to load: those that are named, and those of exports whose folders are named. */
async function filesOf(named: readonly string[], serverName: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of named) {
    const isFolder = path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory();
    files.push(...(isFolder ? await checkedFiles(path, serverName, new Set(KINDS.keys())) : [path]));
  }
  return files;
}

reportErrors('import', main);
