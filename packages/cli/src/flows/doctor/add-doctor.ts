import { addCommonOptions } from '../../cli/common-options.ts';
import type { Flow } from '../flow.ts';

/** Adds `doctor`. */
export const addDoctor: Flow = (program, cli) => {
  const command = program
    .command('doctor')
    .summary('Checks the connection, the token and the server, and says what to do')
    .description(
      'Checks the connection, TLS, the clock, the token, versions, processes, the store, the broker, queues, dead letters, failed tasks, ' +
        'the feed, checkpoints of the audit log and your own quotas. What is not as it should be has a remedy. Changes nothing.\n\n' +
        'Ends with 1 when a check fails; warnings do not count. The scopes server:read, tasks:read, events:read and audit:read ' +
        'let it look at everything.',
    );
  addCommonOptions(command).action(async () => {
    const { examine } = await import('./examine.ts');
    await examine(cli, command);
  });
};
