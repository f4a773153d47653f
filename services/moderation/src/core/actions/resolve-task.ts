import { type Refusal, refuse, toRefusal } from '@steward/errors';
import { own } from '@steward/kernel';
import type { Task } from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { hasScope, type Rights, requireAuthority, scopeName, scopeOf } from '@steward/rpc';
import { type RunningTask, TaskDeferred, TaskFailed, type TaskKind } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { RESOLVE_REPORT, type ResolveParams, resolutionOf } from '../desk/begin-orders.ts';
import { caseAggregate } from '../desk/case-aggregate.ts';
import { type OrderOutcome, recordOrder } from '../desk/record-order.ts';
import type { CaseAuthority, CaseOrder, CaseResolution } from '../model/case.ts';
import type { CarriedOut } from './define-action.ts';
import { accountsOfAction, kindOf, scopesOfAction, storedAction } from './kinds.ts';
import { type ResolvedAction, recordActionCalls } from './record-action-calls.ts';

/** The pause while another service cannot be reached, or the task of an order runs, in milliseconds. */
const PAUSE_MS = 1_000;

/** How often an order is tried that fails by a fault of the server. */
const MAX_TRIES = 5;

/** The pause after the first fault, in milliseconds; it doubles with each. */
const FIRST_RETRY_MS = 500;

const FIRST_FAULT_STATUS = 500;

/** The statuses of refusals that hold for a moment: too many requests, and services that cannot be reached. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The order whose carrying out failed by a fault, and how often. */
interface Tries {
  readonly order: string;
  readonly tries: number;
}

/**
 * Carries out the orders of a resolution, one after the other. What becomes of each is recorded in the audit log, then in the case, and
 * only then is the next one begun; an order that is refused does not stop the others. After an interruption the task goes on with the
 * first order that has no outcome, and carries that out again: each order has its effect once by its id.
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
  const { orders } = resolution;
  for (const [index, order] of orders.entries()) {
    if (order.state === 'pending') {
      task.signal.throwIfAborted();
      const outcome = await outcomeOf(deps, task, resolution, order);
      await record(deps, task, order, outcome);
    }
    await task.save({ done: index + 1, total: orders.length });
  }
}

/** Gives up the orders that have no outcome, because the task was cancelled, or failed. */
async function giveUp(deps: Deps, task: RunningTask): Promise<void> {
  const { orders = [] } = (await resolutionOfTask(deps, task)) ?? {};
  for (const order of orders.filter(({ state }) => state === 'pending')) {
    const message =
      order.task_id === null
        ? 'The task of the resolution ended before it was carried out'
        : `The task of the resolution ended before the task ${order.task_id}`;
    await record(deps, task, order, { state: 'refused', errcode: 'M_UNKNOWN', message });
  }
}

async function resolutionOfTask(deps: Deps, task: RunningTask): Promise<CaseResolution | undefined> {
  const { case: id, resolution: number } = task.params<ResolveParams>();
  const found = await caseAggregate.load(deps, id);
  return found && resolutionOf(found, number);
}

async function record(deps: Deps, task: RunningTask, order: CaseOrder, outcome: OrderOutcome): Promise<void> {
  await recordOrder(deps, task.params<ResolveParams>().case, order.id, outcome);
}

/**
 * Carries an order out, and waits for its tasks.
 *
 * @throws TaskDeferred while it waits
 */
async function outcomeOf(
  deps: Deps,
  task: RunningTask,
  resolution: CaseResolution,
  order: CaseOrder,
): Promise<OrderOutcome> {
  if (order.task_id !== null) {
    const known = await deps.tasks.find(order.task_id);
    // It ended more than a day ago. Carrying the order out again could do its work once more.
    if (!known)
      return { state: 'refused', errcode: 'M_UNKNOWN', message: 'What became of its task is not known' };
    if (isRunning(known)) throw new TaskDeferred(PAUSE_MS);
  }
  const done = await attempt(deps, task, resolution, order);
  const resolved: ResolvedAction = {
    caseId: task.params<ResolveParams>().case,
    resolution,
    order,
    taskId: task.id,
  };
  // What has a task was recorded before that was noted.
  if (order.task_id === null) await recordActionCalls(deps, resolved, done);
  if ('status' in done) {
    const { errcode = 'M_UNKNOWN', message } = done;
    return { state: 'refused', errcode, message };
  }
  for (const id of done.taskIds) {
    const its = await deps.tasks.find(id);
    if (its && isRunning(its)) {
      if (order.task_id !== id) await record(deps, task, order, { task_id: id });
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
 * Carries an order out once more.
 *
 * @returns what that led to, or its refusal: also one that stands for a fault which repeats
 * @throws TaskDeferred while a service cannot be reached, and after a fault
 */
async function attempt(
  deps: Deps,
  task: RunningTask,
  { decider, authority }: CaseResolution,
  { id: orderId, ...order }: CaseOrder,
): Promise<CarriedOut | Refusal> {
  try {
    const given = storedAction(order);
    const rights = await presentRights(deps, decider, authority);
    for (const scope of scopesOfAction(deps, given))
      if (!hasScope(rights, scope))
        throw refuse.forbidden(`Who ordered it does not have the scope ${scopeName(scope)} any more`);
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

/**
 * The rights with which orders are carried out: those that their giver had, as far as the giver still has them, and is active, and the
 * automation token was not revoked.
 */
async function presentRights(
  deps: Pick<Deps, 'authority'>,
  decider: string | null,
  authority: CaseAuthority | undefined,
): Promise<Rights> {
  const then = rightsOf(authority);
  if (decider === null) return then;
  const now = await deps.authority.rightsOf(authority?.acting_as ?? decider);
  if (now.admin) return then;
  return { admin: false, scopes: (now.scopes ?? []).filter((scope) => hasScope(then, scope)) };
}

/** The rights that the giver of orders had: none if they are not known. */
function rightsOf(authority: CaseAuthority | undefined): Rights {
  if (authority?.scopes === null) return { admin: true };
  const names = authority?.scopes ?? [];
  return { admin: false, scopes: names.map(scopeOf).filter((scope) => scope !== undefined) };
}
