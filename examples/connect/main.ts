// Administers a steward server over the Connect protocol. Prints one JSON object per line.
import { parseArgs } from 'node:util';
import { deleteRoom, listUsers, readAudit, suspend } from './commands.ts';
import { connect, explain, type Options } from './connection.ts';

const USAGE = `usage: main.ts [options] COMMAND

  users [--page-size N]                 lists all accounts (user service)
  suspend [--lift] USER_ID              suspends an account (user service)
  delete-room ROOM_ID                   deletes a room (room service)
  audit [--actor ACTOR] [--limit N]     shows the newest entries of the audit log (moderation service)

options:
  --credential-file FILE                the credential of this client
  --address HOST:PORT                   of the service that has the command
  --ca FILE --certificate FILE --key FILE
                                        for TLS: the authority of the services, and the certificate of this client`;

const OPTIONS = {
  'credential-file': { type: 'string' },
  address: { type: 'string' },
  ca: { type: 'string' },
  certificate: { type: 'string' },
  key: { type: 'string' },
  'page-size': { type: 'string', default: '100' },
  lift: { type: 'boolean', default: false },
  actor: { type: 'string' },
  limit: { type: 'string', default: '100' },
} as const;

/** The ports on which the services of `npm run topology -- --base-port 9001` listen. */
const PORTS: Readonly<Record<string, number>> = {
  users: 9001,
  suspend: 9001,
  'delete-room': 9002,
  audit: 9004,
};

function parse() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return misused((error as Error).message);
  }
}

function misused(problem: string): never {
  console.error(`${problem}\n\n${USAGE}`);
  process.exit(2);
}

function positive(name: string, text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : misused(`--${name} is a positive number`);
}

const { values, positionals } = parse();
const [command = '', id, ...more] = positionals;
const port = PORTS[command] ?? misused(`There is no command ${JSON.stringify(command)}`);
const takesId = command === 'suspend' || command === 'delete-room';
if (more.length > 0 || (id !== undefined) !== takesId)
  misused(`${command} takes ${takesId ? 'one id' : 'no id'}`);
const { ca, certificate, key, 'credential-file': credentialFile } = values;
if (credentialFile === undefined) misused('--credential-file is required');
if (new Set([ca, certificate, key].map((file) => file === undefined)).size > 1)
  misused('--ca, --certificate and --key belong together');

const options: Options = {
  address: values.address ?? `127.0.0.1:${port}`,
  credentialFile,
  ...(ca !== undefined &&
    certificate !== undefined &&
    key !== undefined && { tls: { ca, certificate, key } }),
};
const pageSize = positive('page-size', values['page-size']);
const limit = positive('limit', values.limit);

try {
  const connection = await connect(options);
  try {
    const { transport } = connection;
    if (command === 'users') await listUsers(transport, pageSize);
    else if (command === 'suspend') await suspend(transport, id ?? '', values.lift);
    else if (command === 'delete-room') await deleteRoom(transport, id ?? '');
    else await readAudit(transport, values.actor, limit);
  } finally {
    connection.close();
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
