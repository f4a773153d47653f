import { parseArgs } from 'node:util';
import { loadConfig } from '@steward/config';
import { readSettings } from '@steward/migrate';
import { reportErrors } from '../command/report-errors.ts';
import { checkCommand } from './check-command.ts';
import { copyCommand } from './copy-command.ts';
import { verifyCommand } from './verify-command.ts';

const USAGE = `Takes over what the reference homeserver stores: its accounts, sessions, keys, rooms, media and reports.

  steward migrate check --from <homeserver.yaml> [--from <another.yaml>] [--json]
  steward migrate copy --from <homeserver.yaml> [--from <another.yaml>] [--anew]
  steward migrate verify --old <url> --token-file <file> [--new <url>] [--new-token-file <file>]
                         [--user <user id> [--password-file <file>]] [--json]

  check   says what is carried and what is not, and what stands in the way; changes nothing
  copy    loads it
  verify  asks both servers, which run, the same about all users, rooms, reports and registration tokens, and prints the differences

  --from <file>            the configuration of the old homeserver; of several files later ones override earlier ones
  --json                   check, verify: prints the result as JSON
  --anew                   copy: does not rely on what earlier copies have noted, for a store that was emptied since
  --old <url>              verify: the address of the old server
  --new <url>              verify: that of the new one; this machine's with the port of the settings unless given
  --token-file <file>      verify: the file of an access token of an administrator of both servers
  --new-token-file <file>  verify: that of the new one, if it is another
  --user <user id>         verify: a user whose password is tried on the new server
  --password-file <file>   verify: the file of the password; asked for unless given

The old database and media are only read. A copy of a running homeserver is possible; a copy after it was stopped brings what has
changed since, and removes what has gone. The server of the data directory must not be running, unless the settings name services to
talk to, which no user uses yet.

Exit status: 0 all is well, 2 the check has errors, or the servers differ, 3 rows are refused, which are named, 1 it was not done.
`;

const COMMANDS: ReadonlySet<string> = new Set(['check', 'copy', 'verify']);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string', multiple: true, default: [] },
      anew: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      old: { type: 'string' },
      new: { type: 'string' },
      'token-file': { type: 'string' },
      'new-token-file': { type: 'string' },
      user: { type: 'string' },
      'password-file': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command, ...more] = positionals;
  if (values.help || command === undefined || !COMMANDS.has(command) || more.length > 0) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const config = loadConfig({ env: process.env });
  if (command === 'verify') {
    const { old, 'token-file': token } = values;
    if (old === undefined || token === undefined)
      throw new Error(
        'Name the old server with --old, and the file of an access token of an administrator with --token-file.',
      );
    process.exitCode = await verifyCommand({
      oldUrl: old,
      newUrl: values.new ?? `http://127.0.0.1:${config.server.port}`,
      oldTokenFile: token,
      newTokenFile: values['new-token-file'] ?? token,
      user: values.user,
      passwordFile: values['password-file'],
      json: values.json,
    });
    return;
  }
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
