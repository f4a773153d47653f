import { Option } from 'commander';
import { addCommonOptions, withChoices } from '../../cli/common-options.ts';
import { findCommand } from '../../cli/find-command.ts';
import { usageFailure } from '../../io/exit.ts';
import { isInteractive } from '../../io/io.ts';
import type { Flow } from '../flow.ts';

const KINDS = ['all', 'events', 'users'] as const;

/** Which reports are looked at. */
export type Kinds = (typeof KINDS)[number];

/** Adds `reports triage`. */
export const addReportsTriage: Flow = (program, cli) => {
  const command = findCommand(program, 'reports')
    .command('triage')
    .summary('Goes through reports one by one, and asks what to do')
    .description(
      'Goes through the reports of events and of users, oldest first: shows each with what it is about, and asks what to do. Redacts, locks, ' +
        'suspends or deactivates, quarantines media, blocks the room, dismisses the report, or leaves it. Ctrl-C ends it; what was ' +
        'done stays. It needs a terminal; elsewhere use event-reports list, user-reports list and the commands of the actions.\n\n' +
        'For administrators with the scopes `reports:read` and `reports:write`, and those of the actions.',
    )
    .addOption(
      withChoices(new Option('--kind <kind>', 'Only reports of events, or of users.').default('all'), KINDS),
    )
    .addOption(new Option('--room-id <text>', 'Only reports of events from rooms whose ids contain this.'))
    .addOption(new Option('--target <text>', 'Only reports about users whose ids contain this.'));
  addCommonOptions(command).action(async (options: { kind: Kinds; roomId?: string; target?: string }) => {
    if (!KINDS.includes(options.kind))
      throw usageFailure(`--kind is one of ${KINDS.join(', ')}, not ${options.kind}`);
    if (!isInteractive(cli.io) || !cli.io.stdout.isTerminal)
      throw usageFailure(
        'reports triage needs a terminal; elsewhere use: stewardctl event-reports list, stewardctl user-reports list',
      );
    const { triage } = await import('./triage.ts');
    await triage(cli, command, options);
  });
};
