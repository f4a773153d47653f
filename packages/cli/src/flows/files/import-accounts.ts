import type { Client, UsersPutParams } from '@steward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli/cli.ts';
import { usageFailure } from '../../io/exit.ts';
import { unlessMissing } from '../../io/refusal.ts';
import { readText } from '../../operations/read-input.ts';
import { type Outcome, runBulk } from '../run-bulk.ts';

/** The fields of an account that are imported, and their types in JSON. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  user_id: ['string'],
  displayname: ['string'],
  avatar_url: ['string', 'null'],
  password: ['string'],
  admin: ['boolean'],
  locked: ['boolean'],
  approved: ['boolean'],
  user_type: ['string', 'null'],
  threepids: ['array'],
  external_ids: ['array'],
};
/** More are in several files, because all are checked before the first is created. */
const MOST_ACCOUNTS = 100_000;

/** Creates the accounts of a file. */
export async function importAccounts(
  cli: Cli,
  command: Command,
  file: string,
  update: boolean,
): Promise<void> {
  const accounts = parse(await readText(cli.io, file));
  const output = await cli.output(command);
  const client = await cli.reader(command);
  const isDryRun = cli.isDryRun(command);
  if (update)
    await cli.confirmCount(
      command,
      `import --update changes up to ${accounts.length} accounts`,
      accounts.length,
    );
  await runBulk(cli, output, {
    items: accounts,
    column: 'user_id',
    idOf: ({ user_id: id }) => id,
    noun: 'accounts',
    act: (account) => importAccount(client, account, update, isDryRun),
  });
}

async function importAccount(
  client: Client,
  account: UsersPutParams,
  update: boolean,
  isDryRun: boolean,
): Promise<Outcome> {
  const exists = (await unlessMissing(client.users.get({ user_id: account.user_id }))) !== undefined;
  if (exists && !update) return { result: 'skipped', note: 'exists; see --update' };
  const result = exists ? 'updated' : 'created';
  if (isDryRun) return { result: `would be ${result}` };
  // A second execution sets the same values.
  await client.users.put(account, { repeatable: true });
  return { result };
}

/** @throws CommandFailure that names the first line that is not an account */
function parse(text: string): readonly UsersPutParams[] {
  const seen = new Map<string, number>();
  const accounts = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const account = accountOf(line, index + 1);
    const earlier = seen.get(account.user_id);
    if (earlier !== undefined)
      throw usageFailure(`line ${index + 1}: ${account.user_id} is on line ${earlier} already`);
    seen.set(account.user_id, index + 1);
    if (seen.size > MOST_ACCOUNTS)
      throw usageFailure(`the file has more than ${MOST_ACCOUNTS} accounts: split it`);
    return [account];
  });
  if (accounts.length === 0) throw usageFailure('the file has no accounts');
  return accounts;
}

/** Never repeats the line in a message, because it may have a password. */
function accountOf(line: string, number: number): UsersPutParams {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw usageFailure(`line ${number} is not JSON`);
  }
  if (typeOf(value) !== 'object') throw usageFailure(`line ${number} is not a JSON object`);
  for (const [name, field] of Object.entries(value as object)) {
    const types = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (types === undefined)
      throw usageFailure(
        `line ${number}: ${name} is not a field of an account; fields: ${Object.keys(FIELDS).join(', ')}`,
      );
    if (!types.includes(typeOf(field)))
      throw usageFailure(`line ${number}: ${name} is ${types.join(' or ')}`);
  }
  const account = value as UsersPutParams;
  if (typeof account.user_id !== 'string' || !/^@[^:]+:./.test(account.user_id))
    throw usageFailure(`line ${number}: user_id is a user id, such as @bob:example.org`);
  return account;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
