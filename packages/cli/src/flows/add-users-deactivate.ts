import type { Client, UserListEntry } from '@steward/sdk';
import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { findCommand } from '../cli/find-command.ts';
import { usageFailure } from '../io/exit.ts';
import { readAll, write } from '../io/io.ts';
import type { CommandParameter, CommandTable } from '../operations/operation-command.ts';
import { readValue } from '../operations/read-value.ts';
import { progressOn } from '../output/progress.ts';
import { tableOf } from '../output/table.ts';
import type { Flow } from './flow.ts';
import { type Outcome, runBulk } from './run-bulk.ts';

interface DeactivateOptions {
  readonly where: readonly string[];
  readonly erase?: boolean;
  readonly includeAdmins?: true;
}

/** Parameters of the list that say how it is written, not what is in it; only active accounts are looked for. */
const NO_FILTERS: ReadonlySet<string> = new Set(['from', 'order_by', 'dir', 'deactivated']);
const LARGEST_PAGE = 500;
/** How many of the accounts that were found are shown. */
const SAMPLE = 10;
const SAMPLE_COLUMNS = ['name', 'displayname', 'admin', 'creation_ts', 'last_seen_ts'];

type Account = Pick<UserListEntry, 'name' | 'admin'>;

/**
 * Lets `users deactivate` take several accounts, or those that filters select.
 *
 * @param table has the filters of the list of accounts
 */
export const addUsersDeactivate =
  (table: CommandTable): Flow =>
  (program, cli) => {
    const filters = filtersOf(table);
    const command = findCommand(program, 'users', 'deactivate');
    (command.registeredArguments as Argument[]).splice(0);
    command
      .description(
        `${command.description()}\n\n` +
          'Takes several accounts, - for the standard input with one on each line, or --where for those that filters select: ' +
          'then it shows what it found and asks for their number. A row says the outcome of each; what fails does not stop ' +
          'the others, and ends with 5. Ctrl-C stops after the account at work. Accounts that are deactivated already are skipped, so the ' +
          'same command goes on where it stopped. Your own account is never touched.\n\n' +
          `Filters: ${filters.map(({ name }) => name).join(', ')}, as in users list-by-state; true selects only such accounts.`,
      )
      .addArgument(
        new Argument('[user_id...]', 'The user ids or their first parts, or - for the standard input.'),
      )
      .addOption(
        new Option('--where <filter=value>', 'Deactivate the active accounts that this selects. Repeatable.')
          .argParser((text: string, earlier: readonly string[] = []) => [...earlier, text])
          .default([]),
      )
      .addOption(new Option('--include-admins', 'Deactivate other administrators, too.'));
    command.action(() => deactivate(cli, command, filters));
  };

/** The flow itself. */
async function deactivate(cli: Cli, command: Command, filters: readonly CommandParameter[]): Promise<void> {
  const options = command.opts<DeactivateOptions>();
  const given = (command.processedArgs[0] ?? []) as readonly string[];
  if (given.length > 0 && options.where.length > 0)
    throw usageFailure('user ids and --where exclude each other');
  const where = options.where.map((text) => filterOf(text, filters, cli.io.time()));
  const output = await cli.output(command);
  const named = await namedIds(cli, given, cli.userIds(command));
  if (given.length === 0 && where.length === 0)
    throw usageFailure('name the accounts: user ids, - for the standard input, or --where');
  const client = await cli.reader(command);
  const me = await client.me.get({}, { signal: cli.signal });
  const own = new Set([me.user_id, me.owner]);
  const ids = where.length > 0 ? await foundIds(cli, client, where, options, own) : named;
  const what = options.erase ? 'deactivate and erase' : 'deactivate';
  if (cli.isPlan(command)) {
    const [id, ...others] = ids;
    if (id === undefined || others.length > 0) throw usageFailure('--plan takes one account');
    const planned = await cli.client(command);
    return output.answer(
      await planned.users.deactivate({ user_id: id, ...(options.erase && { erase: true }) }),
    );
  }
  if (ids.length === 1) await cli.confirm(command, `users ${what} ${ids[0]} cannot be taken back`);
  else if (ids.length > 1)
    await cli.confirmCount(
      command,
      `users ${what}: ${ids.length} accounts; this cannot be taken back`,
      ids.length,
    );
  const isDryRun = cli.isDryRun(command);
  await runBulk(cli, output, {
    items: ids,
    column: 'user_id',
    idOf: (id) => id,
    noun: 'accounts',
    act: (id) => deactivateOne(client, id, options, own, isDryRun),
  });
}

/** Looks at the account once more, because it may have changed since it was found. */
async function deactivateOne(
  client: Client,
  id: string,
  { erase, includeAdmins }: DeactivateOptions,
  own: ReadonlySet<string | null>,
  isDryRun: boolean,
): Promise<Outcome> {
  if (own.has(id)) return { result: 'skipped', note: 'your own account' };
  const { deactivated, erased, admin } = await client.users.get({ user_id: id });
  if (deactivated && (erased || !erase)) return { result: 'skipped', note: 'deactivated already' };
  if (admin && !includeAdmins) return { result: 'skipped', note: 'an administrator; see --include-admins' };
  const result = erase ? 'erased' : 'deactivated';
  if (isDryRun) return { result: `would be ${result}` };
  await client.users.deactivate({ user_id: id, ...(erase && { erase }) }, { repeatable: true });
  return { result };
}

async function namedIds(
  cli: Cli,
  given: readonly string[],
  complete: (id: string) => Promise<string>,
): Promise<readonly string[]> {
  const read = given.includes('-') ? (await readAll(cli.io)).split('\n').map((line) => line.trim()) : [];
  const named = [...given.filter((id) => id !== '-'), ...read.filter((line) => line !== '')];
  const ids = [...new Set(await Promise.all(named.map(complete)))];
  const wrong = ids.find((id) => !id.startsWith('@') || !id.includes(':'));
  if (wrong !== undefined) throw usageFailure(`${wrong} is not a user id, such as @bob:example.org`);
  return ids;
}

/** A filter, with what the list does not select by default. */
interface Filter {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the ids of the accounts that the filters select, and shows some of them. */
async function foundIds(
  cli: Cli,
  client: Client,
  where: readonly Filter[],
  { includeAdmins }: DeactivateOptions,
  own: ReadonlySet<string | null>,
): Promise<readonly string[]> {
  const params = paramsOf(where);
  const progress = progressOn(cli.io);
  const ids: string[] = [];
  const sample: UserListEntry[] = [];
  const left = { admins: 0, own: 0 };
  try {
    // All are found before the first is changed, since each change would move the others in the list.
    const list = client.users.listByState({ ...params, limit: LARGEST_PAGE }, { signal: cli.signal });
    for await (const user of list) {
      if (!where.every((filter) => isSelected(user, filter))) continue;
      if (own.has(user.name)) left.own += 1;
      else if (isAdmin(user) && !includeAdmins) left.admins += 1;
      else {
        ids.push(user.name);
        if (sample.length < SAMPLE) sample.push(user);
      }
      progress.show(ids.length, null, 'accounts found');
    }
  } finally {
    progress.clear();
  }
  const more = ids.length > SAMPLE ? `; the first ${SAMPLE}:` : ids.length > 0 ? ':' : '.';
  await cli.note(`Active accounts found: ${ids.length}${more}`);
  const { isTerminal, columns } = cli.io.stderr;
  const space = {
    width: isTerminal ? columns : undefined,
    bold: (text: string) => text,
    now: cli.io.time(),
  };
  await write(cli.io.stderr, tableOf(SAMPLE_COLUMNS, space)(sample));
  if (left.admins > 0) await cli.note(`Administrators left out: ${left.admins}; see --include-admins.`);
  if (left.own > 0) await cli.note('Your own account is left out.');
  return [...new Set(ids)];
}

function isAdmin({ admin }: Account): boolean {
  return Boolean(admin);
}

function filtersOf({ commands }: CommandTable): readonly CommandParameter[] {
  const list = commands.find(({ group, name }) => group === 'users' && name === 'list-by-state');
  return (list?.parameters ?? []).filter(({ name }) => !NO_FILTERS.has(name));
}

/** @throws CommandFailure unless it is a filter of the list with a value */
function filterOf(text: string, filters: readonly CommandParameter[], now: number): Filter {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(at, 0)).replaceAll('-', '_');
  const parameter = filters.find((each) => each.name === name);
  const value = text.slice(at + 1);
  if (at < 1 || parameter === undefined)
    throw usageFailure(
      `--where is a filter, = and a value, not ${text}; filters: ${filters.map((each) => each.name).join(', ')}`,
    );
  // An empty text would select every account.
  if (value === '' && !parameter.list) throw usageFailure(`--where ${name} needs a value`);
  return { name, value: readValue(value, parameter, `--where ${name}`, now) };
}

function paramsOf(where: readonly Filter[]): Record<string, unknown> {
  const params: Record<string, unknown> = { deactivated: false };
  for (const { name, value } of where) {
    if (name === 'not_user_type') params[name] = [...((params[name] ?? []) as unknown[]), value];
    else if (params[name] === undefined) params[name] = value;
    else throw usageFailure(`--where ${name} is there twice`);
  }
  return params;
}

/** With true, the list only includes such accounts; here it selects them. */
function isSelected(user: UserListEntry, { name, value }: Filter): boolean {
  if (value !== true) return true;
  if (name === 'guests') return Boolean(user.is_guest);
  if (name === 'locked') return user.locked;
  return name === 'approved' ? user.approved === true : true;
}
