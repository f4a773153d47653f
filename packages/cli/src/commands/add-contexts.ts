import type { Command } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions, commonOptions } from '../cli/common-options.ts';
import { openClient } from '../cli/connect.ts';
import { usageFailure } from '../io/exit.ts';
import { changeSettings, readSettings, type Settings, settingsPath } from '../settings/settings.ts';
import { logOut } from './client-login.ts';

const COLUMNS = ['current', 'name', 'server', 'user'];

/** Adds `context list`, `context use`, `context remove`, and `logout`. */
export function addContexts(program: Command, cli: Cli): void {
  const path = settingsPath(cli.io.env);
  const change = (step: (settings: Settings) => Settings) => changeSettings(path, cli.note, step);
  const context = program
    .command('context')
    .description('Lists, chooses and removes contexts: servers with tokens.');

  const list = context.command('list').description('Lists the contexts, without their tokens.');
  addCommonOptions(list).action(async () => {
    const { current, contexts } = await readSettings(path, cli.note);
    const rows = Object.entries(contexts).map(([name, { server, user = null }]) => ({
      name,
      server,
      user,
      current: name === current,
    }));
    await (await cli.output(list)).page(rows, { items: '', columns: COLUMNS, noun: 'contexts' });
  });

  const use = context
    .command('use')
    .description('Makes a context the current one.')
    .argument('<name>', 'The context.');
  addCommonOptions(use).action(async (name: string) => {
    await change((settings) => {
      requireContext(settings, name);
      return { ...settings, current: name };
    });
  });

  const remove = context
    .command('remove')
    .description('Removes a context and forgets its token, which stays valid.')
    .argument('<name>', 'The context.');
  addCommonOptions(remove).action(async (name: string) => {
    await change((settings) => without(settings, name));
  });

  const logout = program
    .command('logout')
    .description(
      'Removes the current context, or that of --context; a login with a password ends, other tokens stay valid.',
    );
  addCommonOptions(logout).action(async () => {
    const flags = commonOptions(logout);
    const settings = await readSettings(path, cli.note);
    const name = flags.context ?? settings.current;
    if (name === undefined) throw usageFailure('there is no current context');
    const { server, token, is_login: isLogin } = requireContext(settings, name);
    if (isLogin)
      await logOut(openClient(cli.io, { ...flags, dryRun: false }, cli.note, server, token), cli.signal);
    await change((latest) => without(latest, name));
    const rest = isLogin ? '' : '; its token stays valid until it is revoked or expires';
    await cli.note(`Context ${name} is removed${rest}.`);
  });
}

function requireContext({ contexts }: Settings, name: string) {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context === undefined) throw usageFailure(`there is no context ${name}; see: stewardctl context list`);
  return context;
}

function without(settings: Settings, name: string): Settings {
  requireContext(settings, name);
  const { [name]: _, ...contexts } = settings.contexts;
  const { current } = settings;
  return { contexts, ...(current !== undefined && current !== name && { current }) };
}
