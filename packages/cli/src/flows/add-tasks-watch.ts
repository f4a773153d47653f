import type { CallOptions, Client, Task } from '@steward/sdk';
import { Argument } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions } from '../cli/common-options.ts';
import { findCommand } from '../cli/find-command.ts';
import { EXIT } from '../io/exit.ts';
import { write } from '../io/io.ts';
import { unlessMissing } from '../io/refusal.ts';
import type { Output } from '../output/output.ts';
import { tableOf } from '../output/table.ts';
import type { Flow } from './flow.ts';
import { requireLines } from './require-lines.ts';

const PAUSE_MS = 1_000;
/** As many repetitions as outlast a restart of the server, once it has answered. */
const RETRIES = 10;
/** As many running tasks as are shown at once. */
const MOST_TASKS = 100;
/** As many rows as are redrawn; more would scroll away. */
const MOST_ROWS = 15;

const ENDED: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled']);
const COLUMNS = ['state', 'progress', 'kind', 'target', 'requested_by', 'id', 'error'];

/** Adds `tasks watch`. */
export const addTasksWatch: Flow = (program, cli) => {
  const command = findCommand(program, 'tasks')
    .command('watch')
    .summary('Shows tasks while they run')
    .description(
      'Shows tasks while they run: the given ones until all have ended, or else all that run, until Ctrl-C. On a terminal the ' +
        'table of what runs is redrawn; elsewhere each change of a task is a line of JSON. With ids it ends with 0 when all ' +
        'are complete, 1 when none is, else 5.\n\nFor administrators with the scope `tasks:read`.',
    )
    .addArgument(new Argument('[task_id...]', 'The task ids; without any, all tasks that run.'));
  addCommonOptions(command).action(async (ids: readonly string[]) => {
    const output = await cli.output(command, 'ndjson');
    requireLines(output, 'tasks are watched');
    const client = await cli.client(command);
    const wanted = [...new Set(ids)];
    const states = await watch(cli, client, wanted, writerOf(cli, command.opts().jq, output));
    if (wanted.length === 0) return;
    const complete = states.filter((state) => state === 'complete').length;
    if (complete < wanted.length) cli.exitWith(complete === 0 ? EXIT.failed : EXIT.partly);
  });
};

/** What shows the tasks that run, and those that changed or ended since the time before. */
interface Writer {
  show(running: readonly Task[], changed: readonly Task[]): Promise<void>;
}

/** Reads tasks until all wanted ones have ended; returns the states in which they did. */
async function watch(cli: Cli, client: Client, wanted: readonly string[], writer: Writer) {
  const seen = new Map<string, string>();
  const ended = new Map<string, string>();
  let followed: readonly string[] = wanted;
  let call: CallOptions = { signal: cli.signal };
  for (;;) {
    const tasks = await readTasks(client, wanted, followed, call);
    call = { ...call, maxRetries: RETRIES };
    const changed = tasks.filter((task) => seen.get(task.id) !== JSON.stringify(task));
    const running = tasks.filter(({ state }) => !ENDED.has(state));
    for (const task of tasks) {
      if (!ENDED.has(task.state)) seen.set(task.id, JSON.stringify(task));
      else {
        // What has ended stays as it is, and takes no memory.
        seen.delete(task.id);
        if (wanted.length > 0) ended.set(task.id, task.state);
      }
    }
    await writer.show(running, changed);
    followed = running.map(({ id }) => id);
    if (wanted.length > 0 && running.length === 0) return [...ended.values()];
    await cli.io.pause(PAUSE_MS, cli.signal);
  }
}

/** Reads the wanted tasks that have not ended, or all that run and those that ran the time before. */
async function readTasks(
  client: Client,
  wanted: readonly string[],
  followed: readonly string[],
  call: CallOptions,
): Promise<readonly Task[]> {
  const read = (id: string) => client.tasks.get({ task_id: id }, call);
  if (wanted.length > 0) {
    const tasks: Task[] = [];
    for (const id of followed) tasks.push(await read(id));
    return tasks;
  }
  const { tasks } = await client.tasks.list({ state: ['scheduled', 'active'], limit: MOST_TASKS }, call);
  const listed = new Set(tasks.map(({ id }) => id));
  const others: Task[] = [];
  for (const id of followed) {
    if (listed.has(id)) continue;
    // A task that ended long ago is no longer kept.
    const task = await unlessMissing(read(id));
    if (task !== undefined) others.push(task);
  }
  return [...others, ...tasks];
}

function writerOf(cli: Cli, jq: string | undefined, output: Output): Writer {
  const { stdout, env } = cli.io;
  if (output.format !== 'table' || jq !== undefined)
    return {
      async show(_, changed) {
        for (const task of changed) await output.answer(task);
      },
    };
  const space = { width: stdout.isTerminal ? stdout.columns : undefined, bold: (text: string) => text };
  if (!stdout.isTerminal || env.TERM === 'dumb') {
    const table = tableOf(COLUMNS, space, [rowOf(WIDEST)]);
    return { show: (_, changed) => write(stdout, table(changed.map(rowOf))) };
  }
  let drawn = 0;
  return {
    async show(running, changed) {
      // What has ended stays above what is redrawn.
      const ended = tableOf(COLUMNS, space)(changed.filter(({ state }) => ENDED.has(state)).map(rowOf));
      const rows = running.slice(0, MOST_ROWS).map(rowOf);
      const more = running.length > rows.length ? `and ${running.length - rows.length} more\n` : '';
      const table = rows.length === 0 ? 'no task runs\n' : tableOf(COLUMNS, space)(rows);
      const up = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
      await write(stdout, `${up}${ended}${table}${more}`);
      drawn = `${table}${more}`.split('\n').length - 1;
    },
  };
}

function rowOf({ progress, ...task }: Task): Record<string, unknown> {
  const { done = 0, total = null } = progress ?? {};
  return { ...task, progress: total === null ? `${done}` : `${done}/${total}` };
}

/** A task as wide as tasks usually are, for which tables that cannot be redrawn have room. */
const WIDEST: Task = {
  id: 'x'.repeat(26),
  kind: 'media.unquarantine_hash',
  state: 'scheduled',
  target: `@${'x'.repeat(30)}`,
  requested_by: `@${'x'.repeat(20)}`,
  created_ts: 0,
  started_ts: null,
  finished_ts: null,
  progress: { done: 99_999, total: 99_999 },
  attempt: 0,
  cancelling: false,
  error: 'x'.repeat(30),
  result: null,
};
