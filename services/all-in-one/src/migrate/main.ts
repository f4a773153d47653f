import { parseArgs } from 'node:util';
import { loadConfig } from '@steward/config';
import { readSettings } from '@steward/migrate';
import { reportErrors } from '../command/report-errors.ts';
import { copyCommand } from './copy-command.ts';

const USAGE = `Takes over what the reference homeserver stores: its accounts, sessions, keys, rooms, media and reports.

  steward migrate copy --from <homeserver.yaml> [--from <another.yaml>] [--anew]

  --from <file>  the configuration of the old homeserver; of several files later ones override earlier ones
  --anew         copy: does not rely on what earlier copies have noted, for a store that was emptied since

The old database and media are only read. A copy of a running homeserver is possible; a copy after it was stopped brings what has
changed since, and removes what has gone. The server of the data directory must not be running, unless the settings name services to
talk to, which no user uses yet.

Exit status: 0 all is carried, 3 rows were refused, which are named, 1 it was not done.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string', multiple: true, default: [] },
      anew: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command, ...more] = positionals;
  if (values.help || command !== 'copy' || more.length > 0) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const config = loadConfig({ env: process.env });
  // SQLite sorts in files, for which the data directory has space.
  process.env.SQLITE_TMPDIR ??= config.server.data;
  const settings = readSettings(values.from);
  if (settings.serverName !== config.server.name)
    throw new Error(
      `The old homeserver is ${settings.serverName}, but STEWARD_SERVER_NAME is ${config.server.name}: they must be equal.`,
    );
  process.exitCode = await copyCommand(config, settings, values.anew);
}

reportErrors('migrate', main);
