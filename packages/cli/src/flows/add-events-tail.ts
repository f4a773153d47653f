import type { Client, StewardEvent } from '@steward/sdk';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions } from '../cli/common-options.ts';
import { findCommand } from '../cli/find-command.ts';
import { CommandFailure, EXIT, usageFailure } from '../io/exit.ts';
import { isRefusal } from '../io/refusal.ts';
import { compactJson } from '../output/json.ts';
import type { Flow } from './flow.ts';
import { requireLines } from './require-lines.ts';

interface TailOptions {
  readonly after?: string;
  readonly type?: readonly string[];
  readonly target?: string;
  readonly actor?: string;
  readonly follow: boolean;
}

const LARGEST_PAGE = 1_000;
const COLUMNS = ['time', 'position', 'type', 'actor', 'targets', 'data'];
/** An event as wide as events usually are, for which the table has room. */
const WIDEST = {
  time: '2026-11-23T12:00:00Z',
  position: 1_000_000,
  type: 'registration_token.created',
  actor: '@admin:example.org',
  targets: '@a.user:matrix.example.org',
  data: 'x'.repeat(400),
};

/** Adds `events tail`. */
export const addEventsTail: Flow = (program, cli) => {
  const command = findCommand(program, 'events')
    .description('The feed of what happened on the server.')
    .command('tail')
    .summary('Writes the events of the feed as they happen')
    .description(
      'Writes the events of the feed as they happen, each once and in order, until Ctrl-C: as lines of a table on a terminal, elsewhere as ' +
        'lines of JSON. A lost connection is continued behind the last event. To go on after a restart, pass the position ' +
        'of the last event that you have with --after.\n\nFor administrators with the scope `events:read`.',
    )
    .addOption(
      new Option(
        '--after <position>',
        'Begin behind this position; when unset, with the next event, or the oldest with --no-follow.',
      ),
    )
    .addOption(
      new Option('--type <type>', 'Only this type, or all that begin so: account.* Repeatable.').argParser(
        (text: string, earlier: readonly string[] = []) => [...earlier, text],
      ),
    )
    .addOption(new Option('--target <id>', 'Only events that concern this user, room or object.'))
    .addOption(new Option('--actor <id>', 'Only events of this actor.'))
    .addOption(new Option('--no-follow', 'End at the end of the feed.'));
  addCommonOptions(command).action(() => tail(cli, command));
};

async function tail(cli: Cli, command: Command): Promise<void> {
  const { after, follow, type, target, actor } = command.opts<TailOptions>();
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw usageFailure(`--after is a position, a whole number from 0, not ${after}`);
  const output = await cli.output(command, 'ndjson');
  if (follow) requireLines(output, 'events are followed');
  const client = await cli.client(command);
  const whose = actor === undefined ? undefined : await cli.userIds(command)(actor);
  const begin = after === undefined && follow ? await latestPosition(cli, client) : after && Number(after);
  await cli.note(whereItBegins(begin, after === undefined, follow));
  const selection = { target, actor: whose, ...(typeof begin === 'number' && { after: begin }) };
  const events = follow
    ? client.events.subscribe(
        { ...selection, types: type },
        {
          signal: cli.signal,
          onReconnect: (pauseMs, error) =>
            void cli.note(
              `${error?.message ?? 'The server ended the connection'}; again in ${Math.ceil(pauseMs / 1000)} s`,
            ),
        },
      )
    : (client.events.list({ ...selection, ...(type && { type }), limit: LARGEST_PAGE } as object, {
        signal: cli.signal,
      }) as AsyncIterable<StewardEvent>);
  try {
    if (output.format !== 'table') {
      await output.rows(events as AsyncIterable<unknown> as AsyncIterable<Record<string, unknown>>, COLUMNS);
    } else await output.rows(rowsOf(events), COLUMNS, [WIDEST], 'events');
  } catch (error) {
    throw explained(error);
  }
}

/** Returns the position of the last event of the feed. */
async function latestPosition(cli: Cli, client: Client): Promise<number> {
  const { latest } = await client.events.list({ limit: 0 }, { signal: cli.signal });
  return latest ?? 0;
}

/** An empty feed and one that is followed look alike; this says which it is. */
function whereItBegins(position: number | string | undefined, isUsual: boolean, follow: boolean): string {
  if (!follow)
    return position === undefined
      ? 'Events from the oldest one that the feed has.'
      : `Events behind position ${position}.`;
  const where = isUsual ? `position ${position}, the end of the feed` : `position ${position}`;
  return `Following the events behind ${where}, until Ctrl-C.`;
}

async function* rowsOf(events: AsyncIterable<StewardEvent>): AsyncGenerator<Record<string, unknown>> {
  for await (const { time, position, type, actor, targets, data } of events)
    yield {
      time: new Date(time).toISOString().replace(/\.\d+Z$/, 'Z'),
      position,
      type,
      actor: actor ?? '-',
      targets: targets.join(' '),
      data: compactJson(data),
    };
}

/** Says where the feed can be read, when it cannot be read from there. */
function explained(error: unknown): unknown {
  if (!isRefusal(error) || error.status !== 410) return error;
  const { body, message } = error;
  const { oldest, latest } = (body ?? {}) as { readonly oldest?: number; readonly latest?: number };
  const hint =
    oldest === undefined
      ? ''
      : `; the feed begins behind --after ${oldest}, and ends at ${latest ?? 'its latest position'}`;
  return new CommandFailure(`${message}${hint}`, EXIT.failed, { cause: error });
}
