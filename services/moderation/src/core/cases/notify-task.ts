import { ConnectError } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { digestOf } from '@steward/kernel';
import { defineTask, type RunningTask, TaskFailed, type TaskKind, type TaskStep } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import type { CaseOutcome, ReportCase, SubjectKind } from '../model/case.ts';
import type { InboxEntry } from '../model/inbox-entry.ts';
import { deliverNotice } from '../notices/deliver-notice.ts';
import type { CaseDeps } from './case-deps.ts';
import { NOTIFY_REPORTERS, type NotifyParams } from './notify-reporters.ts';

/** How many reports are read at a time. */
const BATCH = 100;

/** The scope that separates these transactions from all others. */
const TRANSACTION = 'report_outcome';

const SERVER_ERROR_STATUS = 500;

type NotifyDeps = Deps & CaseDeps;

const SUBJECTS: Readonly<Record<SubjectKind, string>> = {
  event: 'a message',
  user: 'a user',
  room: 'a room',
  media: 'a medium',
};

const OUTCOMES: Readonly<Record<CaseOutcome, string>> = {
  actioned: 'they took action',
  dismissed: 'they found no reason to take action',
  duplicate: 'they decide about it together with another report',
};

/** Tells the reporters of a case what was decided, each once. */
export function notifyTask(deps: NotifyDeps): TaskKind {
  const telling: TaskStep<NotifyParams, string> = { name: 'telling', run: (task) => run(deps, task) };
  return defineTask<NotifyParams>(NOTIFY_REPORTERS, { steps: [telling] });
}

async function run(deps: NotifyDeps, task: RunningTask<NotifyParams, string>): Promise<void> {
  const params = task.params();
  const found = await deps.cases.findOne({ _id: params.case });
  const outcome = found && outcomeOf(found, params.resolution);
  if (!found || !outcome) throw new TaskFailed('The case is gone');
  if (!deps.notices.enabled) throw new TaskFailed('Server notices are not enabled on this server');
  let after = task.cursor() ?? '';
  let { done } = task;
  for (;;) {
    const page = await deps.inbox
      .find({ case: found._id, reporter: { $gt: after } }, { sort: { reporter: 1, _id: 1 }, limit: BATCH })
      .toArray();
    for (const entry of page) {
      task.signal.throwIfAborted();
      if (entry.reporter === null || entry.reporter === after) continue;
      await tell(deps, found, outcome, entry, entry.reporter);
      after = entry.reporter;
      done++;
      await task.save({ cursor: after, done, total: found.reporter_count });
    }
    // With more reports of one reporter than a batch has, the next one begins after them, too.
    if (page.length < BATCH) return;
  }
}

function outcomeOf({ resolution, former_resolutions }: ReportCase, number: number): CaseOutcome | undefined {
  return [...former_resolutions, ...(resolution ? [resolution] : [])].find((each) => each.number === number)
    ?.outcome;
}

/** Notifies one reporter, once for each case. A reporter who cannot be notified is left out. */
async function tell(
  deps: NotifyDeps,
  { _id, kind }: ReportCase,
  outcome: CaseOutcome,
  { received_ts }: InboxEntry,
  reporter: string,
): Promise<void> {
  const { notices, reporterNotice, users } = deps;
  if (reporter === notices.sender || !(await users.isKnown(reporter))) return;
  const values: Readonly<Record<string, string>> = {
    subject: SUBJECTS[kind],
    outcome: OUTCOMES[outcome],
    date: new Date(received_ts).toISOString().slice(0, 'yyyy-mm-dd'.length),
  };
  const body = reporterNotice.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const transaction = digestOf([TRANSACTION, _id, reporter]).toString('base64url');
  try {
    await deliverNotice(deps, {
      userId: reporter,
      type: 'm.room.message',
      stateKey: undefined,
      content: JSON.stringify({ msgtype: 'm.text', body }),
      transaction,
    });
  } catch (error) {
    // An order that the server cannot carry out now is repeated with the task; a refusal is final.
    if (!(error instanceof ConnectError) || toRefusal(error).status >= SERVER_ERROR_STATUS) throw error;
    deps.report('a reporter was not told the outcome', { error });
  }
}
