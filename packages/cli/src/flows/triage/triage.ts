import type { CallOptions, Client, StewardError } from '@steward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli/cli.ts';
import { commonOptions } from '../../cli/common-options.ts';
import { Interrupted } from '../../io/exit.ts';
import { write } from '../../io/io.ts';
import type { Choice, Prompts } from '../../io/prompts.ts';
import { prettyJson } from '../../output/json.ts';
import { fieldsOf } from '../../output/table.ts';
import { visible } from '../../output/visible.ts';
import { type Action, actionsOf } from './actions.ts';
import { type Entry, type Report, readReports, type Selection } from './report.ts';

/** What may be chosen for a report. */
type Answer = Action | 'dismiss' | 'skip' | 'reason' | 'quit';

/** What was done in this run. */
interface Counts {
  actions: number;
  dismissed: number;
  skipped: number;
}

/** Goes through the reports, and says at the end what was done. */
export async function triage(cli: Cli, command: Command, selection: Selection): Promise<void> {
  const client = await cli.client(command);
  const { user_id: own } = await client.me.get({}, { signal: cli.signal });
  const prompts = await cli.io.prompts();
  const counts: Counts = { actions: 0, dismissed: 0, skipped: 0 };
  let reason = commonOptions(command).reason;
  try {
    for await (const entry of readReports(client, selection, cli.signal)) {
      const answered = await handle(cli, client, prompts, entry, counts, { own, reason });
      reason = answered.reason;
      if (answered.quits) return;
    }
    await cli.note('There are no more reports.');
  } finally {
    const { actions, dismissed, skipped } = counts;
    await cli.note(`Reports dismissed: ${dismissed}, left: ${skipped}. Other actions: ${actions}.`);
  }
}

/** Shows a report and asks until it is dismissed or left. */
async function handle(
  cli: Cli,
  client: Client,
  prompts: Prompts,
  { report, left, deleted }: Entry,
  counts: Counts,
  { own, reason: given }: { readonly own: string; readonly reason: string | undefined },
): Promise<{ readonly quits: boolean; readonly reason: string | undefined }> {
  let reason = given;
  await write(cli.io.stdout, evidenceOf(report, left));
  for (;;) {
    cli.signal.throwIfAborted();
    const answer = await prompts.select(`Report ${report.id}: what to do?`, choicesOf(report, own, reason));
    if (answer === 'quit') return { quits: true, reason };
    if (answer === 'skip') {
      counts.skipped += 1;
      return { quits: false, reason };
    }
    if (answer === 'reason') {
      const text = await prompts.text(
        'Reason, for the audit log:',
        reason === undefined ? {} : { initial: reason },
      );
      reason = text.trim() === '' ? undefined : text.trim();
      continue;
    }
    const options: CallOptions = {
      signal: cli.signal,
      repeatable: true,
      ...(reason !== undefined && { reason }),
    };
    if (answer === 'dismiss') {
      const isGone = await attempt(cli, async () => {
        await dismiss(client, report, options);
        return `report ${report.id} is dismissed`;
      });
      if (!isGone) continue;
      deleted();
      counts.dismissed += 1;
      return { quits: false, reason };
    }
    if (answer.isFinal && !(await prompts.confirm(visible(`${answer.label} cannot be taken back. Go on?`))))
      continue;
    if (await attempt(cli, () => answer.run(client, options))) counts.actions += 1;
  }
}

/** The least that changes something comes first, so that Enter does no harm. */
function choicesOf(report: Report, own: string, reason: string | undefined): readonly Choice<Answer>[] {
  return [
    { value: 'skip', label: 'leave it, and go on' },
    { value: 'dismiss', label: 'dismiss the report', hint: 'it is deleted' },
    ...actionsOf(report, own).map((action) => ({
      value: action,
      label: visible(action.label),
      ...(action.hint !== undefined && { hint: visible(action.hint) }),
    })),
    { value: 'reason', label: 'say why', hint: visible(reason ?? 'for the audit log, from now on') },
    { value: 'quit', label: 'quit' },
  ];
}

/** Says what was done, or why it was not: the next answer may be another one. */
async function attempt(cli: Cli, run: () => Promise<string>): Promise<boolean> {
  try {
    await cli.note(`  done: ${await run()}`);
    return true;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    cli.signal.throwIfAborted();
    const { message, errcode } = error as StewardError;
    await cli.note(`  not done: ${message}${errcode === undefined ? '' : ` (${errcode})`}`);
    return false;
  }
}

async function dismiss(client: Client, { kind, id }: Report, options: CallOptions): Promise<void> {
  const group = kind === 'event' ? client.eventReports : client.userReports;
  await group.delete({ report_id: id }, options).catch((error: StewardError) => {
    // Another administrator was faster.
    if (error.status !== 404) throw error;
  });
}

function evidenceOf(report: Report, left: number): string {
  const { kind, id, receivedTs, reporter, reason, target, room, event } = report;
  const head = `\n${kind === 'event' ? 'Event' : 'User'} report ${id}, ${left} to go\n`;
  const fields = {
    received_ts: receivedTs,
    reporter,
    reason: reason ?? '',
    reported: target ?? 'not known',
    ...(room !== null && { room: room.name === null ? room.id : `${room.name} (${room.id})` }),
    ...(event !== null && { event: `${event.id} ${event.type}`, sent_ts: event.sentTs }),
  };
  const content = event === null ? '' : contentOf(event.content);
  return `${head}${fieldsOf(fields, (text) => text)}${content}`;
}

/** The most of a content that is shown; the whole is in `event-reports get`. */
const LONGEST_CONTENT = 2_000;

/** A message as its text, anything else as JSON. */
function contentOf(content: Readonly<Record<string, unknown>>): string {
  const text = typeof content.body === 'string' ? visible(content.body) : prettyJson(content);
  const shown = text.length > LONGEST_CONTENT ? `${text.slice(0, LONGEST_CONTENT).toWellFormed()}…` : text;
  const url = typeof content.url === 'string' ? `\n${visible(content.url)}` : '';
  const lines = `${shown}${url}`.split('\n').map((line) => `  | ${line}\n`);
  return lines.join('');
}
