import { parseArgs } from 'node:util';
import { loadConfig } from '@steward/config';
import { readSettings } from '@steward/migrate';
import { reportErrors } from '../command/report-errors.ts';
import { checkCommand } from './check-command.ts';
import { copyCommand } from './copy-command.ts';

const USAGE = `Takes over what the reference homeserver stores: its accounts, sessions, keys, rooms, media and reports.

  steward migrate check --from <homeserver.yaml> [--from <another.yaml>] [--json]
  steward migrate copy --from <homeserver.yaml> [--from <another.yaml>] [--anew]

  check          says what is carried and what is not, and what stands in the way; changes nothing
  copy           loads it

  --from <file>  the configuration of the old homeserver; of several files later ones override earlier ones
  --json         check: prints the result as JSON
  --anew         copy: does not rely on what earlier copies have noted, for a store that was emptied since

The old database and media are only read. A copy of a running homeserver is possible; a copy after it was stopped brings what has
changed since, and removes what has gone. The server of the data directory must not be running, unless the settings name services to
talk to, which no user uses yet.

Exit status: 0 all is well, 2 the check has errors, 3 rows were refused, which are named, 1 it was not done.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string', multiple: true, default: [] },
      anew: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command, ...more] = positionals;
  if (values.help || (command !== 'copy' && command !== 'check') || more.length > 0) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const config = loadConfig({ env: process.env });
  // SQLite sorts in files, for which the data directory has space.
  process.env.SQLITE_TMPDIR ??= config.server.data;
  const settings = readSettings(values.from);
  if (command === 'check') {
    process.exitCode = await checkCommand(config, settings, values.json);
    return;
  }
  if (settings.serverName !== config.server.name)
    throw new Error(
      `The old homeserver is ${settings.serverName}, but STEWARD_SERVER_NAME is ${config.server.name}: they must be equal.`,
    );
  process.exitCode = await copyCommand(config, settings, values.anew);
}

reportErrors('migrate', main);
