import { Argument, Option } from 'commander';
import { addCommonOptions, withChoices } from '../../cli/common-options.ts';
import type { Flow } from '../flow.ts';
import { EXPORTED } from './exported.ts';

/** Adds `export`. */
export const addExport: Flow = (program, cli) => {
  const kinds = Object.keys(EXPORTED);
  const command = program
    .command('export')
    .summary('Writes what lists have to files, one row on each line')
    .description(
      'Writes what lists have to files in a folder, one row of JSON on each line: one file for each kind. A file that is there is not ' +
        'written again, so the same command goes on where it stopped. Only the owner can read the files. Each kind needs the ' +
        'scope of its list; what fails does not stop the others, and ends with 5.\n\n' +
        'This is what the API shows, for reports and comparisons. The records of the store, with rooms, events, media and passwords, which ' +
        '`npm run import` reads, are exported on the machine of the server: npm run export, or for one user npm run export -- --user <id>.',
    )
    .addArgument(new Argument('<folder>', 'Where to write; made when it is missing.'))
    .addOption(
      withChoices(
        new Option('--kind <kind>', 'Only this kind. Repeatable.').argParser(
          (text: string, earlier: readonly string[] = []) => [...earlier, text],
        ),
        kinds,
      ),
    );
  addCommonOptions(command).action(async (folder: string, { kind }: { kind?: readonly string[] }) => {
    const { exportLists } = await import('./export-lists.ts');
    await exportLists(cli, command, folder, kind ?? kinds);
  });
};
