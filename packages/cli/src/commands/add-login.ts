import { type Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions, commonOptions } from '../cli/common-options.ts';
import { openClient, requireToken } from '../cli/connect.ts';
import { usageFailure } from '../io/exit.ts';
import { isInteractive, readAll } from '../io/io.ts';
import { isUnprotected, serverUrl } from '../settings/server-url.ts';
import { type Context, changeSettings, settingsPath } from '../settings/settings.ts';
import { logIn, logOut } from './client-login.ts';

/** Adds `login`, which checks a token and keeps it as a context. */
export function addLogin(program: Command, cli: Cli): void {
  const command = program
    .command('login')
    .summary('Keeps a server and a token as a context')
    .description(
      'Keeps a server and a token as a context, which later commands use, after asking the server whose token it is.\n\n' +
        'The token is read from the variable STEWARD_TOKEN, or else from the standard input, or else asked for. It is never ' +
        'an argument, because other processes of the machine can read those. An automation token (stewardctl tokens create) ' +
        'suits best: it has an end, and only the scopes that are needed.\n\n' +
        'With --user the password is read in the same way, from the standard input or the terminal, and the token is that of a new login, ' +
        'which logout ends. Accounts with a second factor get no administrative rights in this way.',
    )
    .argument('<server>', 'The address of the server, such as https://matrix.example.org.')
    .addOption(new Option('--name <name>', 'The name of the context; the host of the server when unset.'))
    .addOption(
      new Option('--user <user>', 'Log in with the password of this user id, or first part of one.'),
    );
  addCommonOptions(command).action(async (address: string, options: { name?: string; user?: string }) => {
    const server = serverUrl(address);
    const name = options.name ?? new URL(server).host;
    if (name === '' || name === '__proto__') throw usageFailure('--name is the name of a context');
    if (isUnprotected(server))
      await cli.note(`warning: ${server} is not protected by TLS: others can read the token on its way`);
    const flags = { ...commonOptions(command), dryRun: false };
    const token =
      options.user === undefined
        ? await givenToken(cli, server)
        : await logIn(
            openClient(cli.io, flags, cli.note, server, 'none'),
            options.user,
            await password(cli),
            cli.signal,
          );
    const client = openClient(cli.io, flags, cli.note, server, token);
    let context: Context;
    try {
      const me = await client.me.get({}, { signal: cli.signal });
      const user = me.user_id ?? (me.name === undefined ? undefined : `${me.name} (automation token)`);
      context = {
        server,
        token,
        ...(user !== undefined && { user }),
        ...(options.user !== undefined && { is_login: true as const }),
      };
      await changeSettings(settingsPath(cli.io.env), cli.note, (settings) => ({
        current: name,
        contexts: { ...settings.contexts, [name]: context },
      }));
    } catch (error) {
      // A login that is kept nowhere would stay for ever.
      if (options.user !== undefined) await logOut(client).catch(() => undefined);
      throw error;
    }
    await cli.note(
      `Logged in to ${server} as ${context.user ?? 'an administrator'}; context ${name} is the current one.`,
    );
  });
}

async function givenToken({ io }: Cli, server: string): Promise<string> {
  if (io.env.STEWARD_TOKEN) return requireToken(io.env.STEWARD_TOKEN);
  if (!isInteractive(io)) return requireToken((await readAll(io)).trim());
  return requireToken((await (await io.prompts()).secret(`Token for ${server}:`)).trim());
}

async function password({ io }: Cli): Promise<string> {
  return isInteractive(io) ? (await io.prompts()).secret('Password:') : readAll(io);
}
