import { Argument, Option } from 'commander';
import { addCommonOptions } from '../../cli/common-options.ts';
import type { Flow } from '../flow.ts';

/** Adds `import`. */
export const addImport: Flow = (program, cli) => {
  const command = program
    .command('import')
    .summary('Creates accounts from a file, one on each line')
    .description(
      'Creates the accounts of a file with one object of JSON on each line: user_id, and the fields of users put, such as displayname, ' +
        'password, admin, user_type, threepids, external_ids and avatar_url. All lines are checked before the first request. A row says ' +
        'the outcome of each account; what fails does not stop the others, and ends with 5. Accounts that exist are skipped, so the same ' +
        'command goes on where it stopped; with --update they are changed.\n\n' +
        'Rooms, events, media and password hashes of another server are imported into the store, on the machine of the server: npm run import ' +
        '-- users.ndjson rooms.ndjson ...; see docs/import-records.md.\n\nFor administrators with the scope `users:write`, and those of the fields.',
    )
    .addArgument(new Argument('<file>', 'The file, or - for the standard input.'))
    .addOption(new Option('--update', 'Change accounts that exist.'));
  addCommonOptions(command).action(async (file: string, { update }: { update?: true }) => {
    const { importAccounts } = await import('./import-accounts.ts');
    await importAccounts(cli, command, file, update === true);
  });
};
