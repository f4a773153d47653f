import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '@steward/config';
import { SECRET_FILE } from '@steward/runtime';
import { openPrompt } from '../command/prompt.ts';
import { reportErrors } from '../command/report-errors.ts';
import { say, sayResult } from '../command/say.ts';
import { readPassword } from './read-password.ts';
import { registerAccount } from './register-account.ts';

const USAGE = `Creates an account with the registration secret.

  steward register [--admin] [options] [<user name>]

  --admin                make the account a server administrator
  --password-file <path> the file of the password, or - for the first line of standard input
  --password-stdin       the same as --password-file -
  --password <text>      the password; other users of the machine can see it in the list of processes
                         Without any of these the password is asked for, on a terminal twice.
  --displayname <text>   the display name; the user name when left out
  --user-type <type>     bot, support or one of accounts.user_types
  --url <url>            where the server listens; http://127.0.0.1:<STEWARD_PORT> when left out
  --secret-file <path>   the file of the registration secret; that of the data directory when left out
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      admin: { type: 'boolean', default: false },
      password: { type: 'string' },
      'password-file': { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
      displayname: { type: 'string' },
      'user-type': { type: 'string' },
      url: { type: 'string' },
      'secret-file': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig({ env: process.env });
  const url = values.url ?? `http://127.0.0.1:${config.server.port}`;
  const secretFile = values['secret-file'] ?? join(config.server.data, SECRET_FILE);
  const configured = values['secret-file'] === undefined ? config.registration.shared_secret : undefined;
  const secret = configured ?? (await readSecret(secretFile));
  const ways = [values.password, values['password-file'], values['password-stdin'] || undefined];
  if (ways.filter((way) => way !== undefined).length > 1)
    throw new Error('Only one of --password, --password-file and --password-stdin can be given.');
  if (values.password !== undefined) {
    say(
      'register: other users of the machine can see --password in the list of processes: use --password-file, or answer the question.',
    );
  }
  const passwordFile = values['password-stdin'] ? '-' : values['password-file'];
  const prompt = openPrompt();
  try {
    const { userId } = await registerAccount({
      url,
      secret,
      username: positionals[0] ?? (await prompt.ask('User name: ')),
      password: values.password ?? (await readPassword(prompt, passwordFile)),
      admin: values.admin,
      displayname: values.displayname,
      userType: values['user-type'],
    });
    sayResult(`${userId} was created${values.admin ? ' as a server administrator' : ''}.`);
  } finally {
    prompt.close();
  }
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new Error(
      `The registration secret cannot be read from ${file}. Start the server once, or name it with --secret-file.`,
    );
  }
}

reportErrors('register', main);
