import { doneTargets, toRefusal } from '@steward/errors';
import { hasScopes, type Rights } from '@steward/rpc';
import { defineTask, type RunningTask, TaskDeferred, TaskFailed, type TaskKind } from '@steward/tasks';
import type { OrderedCall } from '../../peers/ordered-calls.ts';
import { presentRights } from '../carried-authority.ts';
import type { Deps } from '../deps.ts';
import {
  BULK,
  type BulkCounts,
  type BulkParams,
  type BulkResult,
  type BulkResults,
  IDS_PER_PIECE,
  NO_RESULTS,
} from './bulk.ts';
import { requestFor } from './bulk-request.ts';

/** How many requests are made at the same time; their outcomes are stored together. */
const CONCURRENCY = 10;

/** The pause while a service cannot be reached, or an earlier attempt at a request goes on, in milliseconds. */
const PAUSE_MS = 1_000;

/** The statuses of refusals that hold for a moment. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const IN_PROGRESS = 'STEWARD_ACTION_IN_PROGRESS';

type BulkTask = RunningTask<BulkParams, Progress>;

/** The progress of a bulk. */
interface Progress {
  /** The place of the first id whose outcome is not stored. */
  readonly next: number;
}

type BulkDeps = Pick<Deps, 'authority' | 'orderedCalls' | 'report'>;

/**
 * Makes a request for each of many, as the caller who ordered it. Each has an id that follows from its place: after an interruption it is made
 * again, and carried out once. What is done when a task is cancelled stays done.
 */
export function bulkTask(deps: BulkDeps): TaskKind {
  return defineTask<BulkParams>(BULK, {
    steps: [{ name: 'requesting', run: (task) => run(deps, task as BulkTask) }],
    renderResult: (result) => result ?? NO_RESULTS,
  });
}

async function run(deps: BulkDeps, task: BulkTask): Promise<void> {
  const { count } = task.params();
  for (let { next } = task.cursor() ?? { next: 0 }; next < count; ) {
    const piece = await task.input<readonly string[]>(Math.floor(next / IDS_PER_PIECE));
    if (!piece)
      throw new TaskFailed('The selection was not stored: the request that ordered it was interrupted');
    const begin = next % IDS_PER_PIECE;
    const ids = piece.slice(begin, begin + CONCURRENCY);
    const stored = await task.part<BulkResults>(next);
    const results = stored?.results ?? (await requestAll(deps, task, ids, next));
    await task.addPart(next, { first: next, results } satisfies BulkResults);
    const before = task.result<BulkCounts>() ?? NO_RESULTS;
    const done = results.filter(({ outcome }) => outcome === 'done').length;
    const result = { done: before.done + done, failed: before.failed + results.length - done };
    next += results.length;
    await task.save({ cursor: { next }, done: next, total: count, result });
  }
}

async function requestAll(
  deps: BulkDeps,
  task: BulkTask,
  ids: readonly string[],
  first: number,
): Promise<readonly BulkResult[]> {
  const { authority } = task.params();
  const rights = await presentRights(deps, task.requestedBy, authority);
  if (!hasScopes(rights))
    throw new TaskFailed(
      'Who ordered it has no administrative rights any more, or the credential was revoked',
    );
  const outcomes = await Promise.allSettled(
    ids.map((id, index) => request(deps, task, rights, id, first + index)),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/**
 * Makes the request for an id.
 *
 * @throws TaskDeferred while it cannot be made
 */
async function request(
  deps: BulkDeps,
  task: BulkTask,
  rights: Rights,
  id: string,
  place: number,
): Promise<BulkResult> {
  const { action } = task.params();
  try {
    const { method, message, deferred } = requestFor(action, id);
    if (deferred) return failed(id, deferred);
    await deps.orderedCalls.carryOut({ method, request: message, ...orderedBy(task, rights, place) });
    return { id, outcome: 'done' };
  } catch (error) {
    if (doneTargets(error)) return { id, outcome: 'done' };
    const refusal = toRefusal(error);
    if (PASSING_STATUSES.has(refusal.status) || refusal.errcode === IN_PROGRESS)
      throw new TaskDeferred(PAUSE_MS);
    if (refusal.status >= 500) deps.report('a request of a bulk failed', { task: task.id, error });
    return failed(id, refusal);
  }
}

function failed(
  id: string,
  {
    status,
    errcode = 'M_UNKNOWN',
    message,
  }: { readonly status: number; readonly errcode?: string | undefined; readonly message: string },
): BulkResult {
  return { id, outcome: 'failed', status, errcode, error: message };
}

/** Who ordered a request, and its id. */
function orderedBy(
  task: BulkTask,
  { admin, scopes = [] }: Rights,
  place: number,
): Omit<OrderedCall, 'method' | 'request'> {
  const { authority, requestId, reason } = task.params();
  const { acting_as: actingAs, token_kind: credential, device_id: deviceId, address } = authority;
  return {
    ...{ callId: `bulk-${task.id}-${place}`, requestId, reason },
    caller: {
      ...{ userId: actingAs ?? task.requestedBy, owner: task.requestedBy, credential, address },
      ...{ admin, scopes: [...scopes], ...(deviceId === null ? {} : { deviceId }) },
    },
  };
}
