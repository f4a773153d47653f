import { systemClock, systemRandom } from '@steward/kernel';
import { runCommand } from '../command/run-command.ts';
import { sayResult } from '../command/say.ts';
import { exportServer } from './export-server.ts';
import { openStored } from './open-stored.ts';

const USAGE = `Writes what the server of the settings stores to files that the import reads, while it may be running.

  steward export --to <directory> [--user <user id> | --room <room id>]

  --to <directory>  empty or missing; gets a file for each kind of records, the files of media, and manifest.json
  --user <user id>  only what is kept about this user, with other.ndjson for what the import does not read
  --room <room id>  only this room: its events, members, aliases, receipts and reports, and the media that its events show

Exits with 1 if the server lacks the bytes of a medium; the rest is exported.
`;

runCommand(process.env, {
  name: 'export',
  usage: USAGE,
  required: 'to',
  optional: ['user', 'room'],
  async run({ to, user, room }, config, onProblem, progress) {
    if (user !== undefined && room !== undefined) throw new Error('Give either --user or --room.');
    // SQLite sorts in files, for which the data directory has space.
    process.env.SQLITE_TMPDIR ??= config.server.data;
    const counts = await exportServer({
      directory: to,
      user,
      room,
      random: systemRandom,
      clock: systemClock,
      open: (spool) => openStored(config, systemRandom, spool, progress),
      onProblem,
      progress,
    });
    for (const [name, count] of counts) sayResult(`${name}.ndjson: ${count}`);
  },
});
