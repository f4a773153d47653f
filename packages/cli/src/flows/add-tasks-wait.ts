import { Argument } from 'commander';
import { addCommonOptions } from '../cli/common-options.ts';
import { findCommand } from '../cli/find-command.ts';
import { EXIT, type ExitCode } from '../io/exit.ts';
import type { Flow } from './flow.ts';
import { waitForTask } from './wait-for-task.ts';

/** With what a wait ends, by the state in which the task ended. A cancelled task leaves what it had done. */
const EXIT_OF_STATE: Readonly<Record<string, ExitCode>> = {
  complete: EXIT.done,
  failed: EXIT.failed,
  cancelled: EXIT.partly,
};

/** Adds `tasks wait`. */
export const addTasksWait: Flow = (program, cli) => {
  const command = findCommand(program, 'tasks')
    .command('wait')
    .summary('Waits until a task ends')
    .description(
      'Waits until a task ends, with a bar on a terminal, and writes the task. Ends with 0 when it is complete, 1 when it ' +
        'failed, 5 when it was cancelled. Ctrl-C ends the wait only: the task goes on in the server.\n\n' +
        'For administrators with the scope `tasks:read`.',
    )
    .addArgument(new Argument('<task_id>', 'The task id.'));
  addCommonOptions(command).action(async (id: string) => {
    const output = await cli.output(command);
    const task = await waitForTask(cli, await cli.client(command), id);
    await output.answer(task);
    cli.exitWith(EXIT_OF_STATE[task.state] ?? EXIT.failed);
  });
};
