import { type Refusal, refuse, toRefusal } from '@steward/errors';
import { own } from '@steward/kernel';
import type { Task } from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { hasScope, requireAuthority, scopeName } from '@steward/rpc';
import { type RunningTask, TaskDeferred, TaskFailed, type TaskKind } from '@steward/tasks';
import { presentRights } from '../carried-authority.ts';
import { RESOLVE_REPORT, type ResolveParams, resolutionOf } from '../cases/begin-actions.ts';
import { caseAggregate } from '../cases/case-aggregate.ts';
import { type ActionOutcome, recordOutcome } from '../cases/record-outcome.ts';
import type { Deps } from '../deps.ts';
import type { CaseAction, CaseResolution } from '../model/case.ts';
import type { CarriedOut } from './define-action.ts';
import { accountsOfAction, kindOf, scopesOfAction, storedAction } from './kinds.ts';
import { type ResolvedAction, recordActionCalls } from './record-action-calls.ts';

/** The pause while another service cannot be reached, or the task of an action runs, in milliseconds. */
const PAUSE_MS = 1_000;

/** How often an action is tried that fails by a fault of the server. */
const MAX_TRIES = 5;

/** The pause after the first fault, in milliseconds; it doubles with each. */
const FIRST_RETRY_MS = 500;

const FIRST_FAULT_STATUS = 500;

/** The statuses of refusals that hold for a moment: too many requests, and services that cannot be reached. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The action whose carrying out failed by a fault, and how often. */
interface Tries {
  /** Its id, under its stored name. */
  readonly order: string;
  readonly tries: number;
}

/**
 * Carries out the actions of a resolution, one after the other. What becomes of each is recorded in the audit log, then in the case, and
 * only then is the next one begun; an action that is refused does not stop the others. After an interruption the task goes on with the
 * first action that has no outcome, and carries that out again: each action has its effect once by its id.
 */
export function resolveTask(deps: Deps): TaskKind {
  return {
    name: RESOLVE_REPORT,
    run: (task) => run(deps, task),
    compensate: (task) => giveUp(deps, task),
  };
}

async function run(deps: Deps, task: RunningTask): Promise<void> {
  const resolution = await resolutionOfTask(deps, task);
  if (!resolution) throw new TaskFailed('The case is gone');
  const { orders: actions } = resolution;
  for (const [index, action] of actions.entries()) {
    if (action.state === 'pending') {
      task.signal.throwIfAborted();
      const outcome = await outcomeOf(deps, task, resolution, action);
      await record(deps, task, action, outcome);
    }
    await task.save({ done: index + 1, total: actions.length });
  }
}

/** Gives up the actions that have no outcome, because the task was cancelled, or failed. */
async function giveUp(deps: Deps, task: RunningTask): Promise<void> {
  const { orders: actions = [] } = (await resolutionOfTask(deps, task)) ?? {};
  for (const action of actions.filter(({ state }) => state === 'pending')) {
    const message =
      action.task_id === null
        ? 'The task of the resolution ended before it was carried out'
        : `The task of the resolution ended before the task ${action.task_id}`;
    await record(deps, task, action, { state: 'refused', errcode: 'M_UNKNOWN', message });
  }
}

async function resolutionOfTask(deps: Deps, task: RunningTask): Promise<CaseResolution | undefined> {
  const { case: id, resolution: number } = task.params<ResolveParams>();
  const found = await caseAggregate.load(deps, id);
  return found && resolutionOf(found, number);
}

async function record(
  deps: Deps,
  task: RunningTask,
  action: CaseAction,
  outcome: ActionOutcome,
): Promise<void> {
  await recordOutcome(deps, task.params<ResolveParams>().case, action.id, outcome);
}

/**
 * Carries an action out, and waits for its tasks.
 *
 * @throws TaskDeferred while it waits
 */
async function outcomeOf(
  deps: Deps,
  task: RunningTask,
  resolution: CaseResolution,
  action: CaseAction,
): Promise<ActionOutcome> {
  if (action.task_id !== null) {
    const known = await deps.tasks.find(action.task_id);
    // It ended more than a day ago. Carrying the action out again could do its work once more.
    if (!known)
      return { state: 'refused', errcode: 'M_UNKNOWN', message: 'The outcome of its task is not known' };
    if (isRunning(known)) throw new TaskDeferred(PAUSE_MS);
  }
  const done = await attempt(deps, task, resolution, action);
  const resolved: ResolvedAction = {
    caseId: task.params<ResolveParams>().case,
    resolution,
    action,
    taskId: task.id,
  };
  // An action with a task id was recorded before the id was stored.
  if (action.task_id === null) await recordActionCalls(deps, resolved, done);
  if ('status' in done) {
    const { errcode = 'M_UNKNOWN', message } = done;
    return { state: 'refused', errcode, message };
  }
  for (const id of done.taskIds) {
    const its = await deps.tasks.find(id);
    if (its && isRunning(its)) {
      if (action.task_id !== id) await record(deps, task, action, { task_id: id });
      throw new TaskDeferred(PAUSE_MS);
    }
    const message = its && shortfallOf(its);
    if (message !== undefined) return { state: 'refused', task_id: id, errcode: 'M_UNKNOWN', message };
  }
  const last = done.taskIds.at(-1);
  return { state: 'done', ...(last === undefined ? {} : { task_id: last }) };
}

/** What an ended task has not done; undefined if it has done all. */
function shortfallOf({ id, state, error, result }: Task): string | undefined {
  if (state !== 'complete') return error ?? 'Its task failed';
  const refused = own(result === undefined ? undefined : JSON.parse(result), 'refused');
  if (typeof refused !== 'number' || refused === 0) return undefined;
  return `It was refused for ${refused} of its targets, see the results of the task ${id}`;
}

/**
 * Carries an action out once more.
 *
 * @returns what that led to, or its refusal: also one that stands for a fault which repeats
 * @throws TaskDeferred while a service cannot be reached, and after a fault
 */
async function attempt(
  deps: Deps,
  task: RunningTask,
  { decider, authority }: CaseResolution,
  { id: orderId, ...action }: CaseAction,
): Promise<CarriedOut | Refusal> {
  try {
    const given = storedAction(action);
    const rights = await presentRights(deps, decider, authority);
    for (const scope of scopesOfAction(deps, given))
      if (!hasScope(rights, scope))
        throw refuse.forbidden(`The user who gave the order no longer has the scope ${scopeName(scope)}`);
    await requireAuthority(deps.authority, rights, accountsOfAction(given));
    const by = { orderId, requestedBy: decider ?? '', rights, checkOnly: false };
    return await kindOf(given).carryOut(deps, given.details, by);
  } catch (error) {
    const refusal = toRefusal(error);
    if (PASSING_STATUSES.has(refusal.status)) throw new TaskDeferred(PAUSE_MS);
    if (refusal.status < FIRST_FAULT_STATUS) return refusal;
    const before = task.cursor<Tries>();
    const tries = (before?.order === orderId ? before.tries : 0) + 1;
    deps.report('an order of a resolution failed', { order: orderId, tries, error });
    if (tries >= MAX_TRIES) return refusal;
    await task.save({ cursor: { order: orderId, tries } satisfies Tries });
    throw new TaskDeferred(FIRST_RETRY_MS * 2 ** tries);
  }
}

function isRunning({ state }: { readonly state: string }): boolean {
  return state === 'scheduled' || state === 'active';
}
