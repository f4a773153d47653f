import { Option } from 'commander';
import { findCommand } from '../cli/find-command.ts';
import { CommandFailure, EXIT } from '../io/exit.ts';
import type { Flow } from './flow.ts';
import { waitForTask } from './wait-for-task.ts';

/** Lets `tasks cancel` ask, and wait until the task has stopped. */
export const addTasksCancel: Flow = (program, cli) => {
  const command = findCommand(program, 'tasks', 'cancel').addOption(
    new Option('--wait', 'Wait until the task has stopped; ends with 1 when it ended otherwise before.'),
  );
  command.action(async () => {
    const [id] = command.processedArgs as [string];
    const output = await cli.output(command);
    const client = await cli.client(command);
    await cli.confirm(command, `tasks cancel ${id} cannot be taken back: what the task has done stays`);
    const cancelled = await client.tasks.cancel({ task_id: id }, { signal: cli.signal, repeatable: true });
    if (!command.opts<{ wait?: true }>().wait) return output.answer(cancelled);
    const task = await waitForTask(cli, client, id);
    await output.answer(task);
    if (task.state === 'cancelled') return;
    throw new CommandFailure(`The task had ended before: it is ${task.state}.`, EXIT.failed);
  });
};
