import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Rights } from '@steward/rpc';
import { defineTask, type RunningTask, type TaskKind, type TaskStep } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { isPresent, memberId } from '../../core/model/member.ts';
import type { Ordered } from '../../core/orders/order.ts';
import { orderMembership } from '../../core/orders/order-membership.ts';
import { orderRedaction } from '../../core/orders/order-redaction.ts';
import {
  FIRST_RESULTS,
  NO_RESULTS,
  type OrderCounts,
  type OrderResult,
  type OrderResults,
  ROOM_ORDER,
  type RoomOrderParams,
} from '../../core/orders/room-order.ts';
import { isRefusal } from '../../core/refusals/is-refusal.ts';
import { type OrderPosition, type OrderTarget, type OrderTargets, orderTargets } from './order-targets.ts';

/** The errcode with which lifting a ban that does not exist is refused. */
const NOT_BANNED = 'M_BAD_STATE';

/** The checkpoint of an order: the targets that are processed next. */
interface Progress {
  /** The number of the piece of the result that has what becomes of them. */
  readonly number: number;
  readonly targets: readonly OrderTarget[];
  readonly read: number;
  /** The position after them. */
  readonly last: OrderPosition;
}

type OrderTask = RunningTask<RoomOrderParams, Progress>;

/** Carries out orders for many targets. */
export function roomOrderTask(deps: Deps): TaskKind {
  const ordering: TaskStep<RoomOrderParams, Progress> = { name: 'ordering', run: (task) => run(deps, task) };
  return defineTask<RoomOrderParams>(ROOM_ORDER, {
    steps: [ordering],
    renderResult: (result) => result ?? NO_RESULTS,
    requires: () => ({ scopes: [Scope.ROOMS_WRITE] }),
  });
}

/**
 * The targets that are processed next are in the checkpoint, so that an attempt after an interruption processes the same ones; each
 * order is keyed by the task, so that it sends nothing twice.
 */
async function run(deps: Deps, task: OrderTask): Promise<void> {
  const rights = await deps.authority.rightsOf(task.requestedBy);
  const targets = await orderTargets(deps, task);
  let progress = task.cursor();
  if (!progress) {
    progress = await planAfter(targets, FIRST_RESULTS, undefined);
    if (!progress) return;
    await task.save({ cursor: progress, total: targets.total });
  }
  while (progress) {
    const { number, read, last } = progress;
    const found = await Promise.all(progress.targets.map((target) => carryOut(deps, task, rights, target)));
    const results = found.filter((result) => result !== undefined);
    if (results.length > 0) await task.addPart(number, { number, results } satisfies OrderResults);
    const counts = addResults(task.result<OrderCounts>() ?? NO_RESULTS, results);
    const next: Progress | undefined = await planAfter(targets, number + 1, last);
    // The last checkpoint has no targets, so that an attempt after it only finds the end.
    const cursor = next ?? { number: number + 1, targets: [], read: 0, last };
    await task.save({ cursor, result: counts, done: task.done + read });
    progress = next;
  }
}

async function planAfter(
  targets: OrderTargets,
  number: number,
  position: OrderPosition | undefined,
): Promise<Progress | undefined> {
  const batch = await targets.after(position);
  return batch && { number, ...batch };
}

/** Carries out the order for one target; undefined if a room is passed over. */
async function carryOut(
  deps: Deps,
  task: OrderTask,
  rights: Rights,
  { roomId, target }: OrderTarget,
): Promise<OrderResult | undefined> {
  const { scope, action } = task.params();
  try {
    const { changed, eventId, sender } = await send(deps, task, rights, { roomId, target });
    return { roomId, target, outcome: changed ? 'done' : 'unchanged', eventId, sender };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { errcode = '', message } = toRefusal(error);
    const ofUser = 'user' in scope;
    if (ofUser && action === 'unban' && errcode === NOT_BANNED)
      return { roomId, target, outcome: 'unchanged' };
    const anyRoom = ofUser && scope.space === null;
    if (anyRoom && action === 'ban' && !(await isThere(deps, { roomId, target }))) return undefined;
    return { roomId, target, outcome: 'refused', errcode, error: message };
  }
}

function send(
  deps: Deps,
  task: OrderTask,
  rights: Rights,
  { roomId, target }: OrderTarget,
): Promise<Ordered> {
  const { action, reason: given } = task.params();
  const reason = given ?? undefined;
  const order = { roomId, actor: task.requestedBy, rights, orderId: task.id, reason };
  const options = { inBackground: true };
  if (action === 'redact') return orderRedaction(deps, { ...order, eventId: target }, options);
  const membership = action === 'kick' || action === 'unban' ? 'leave' : action;
  return orderMembership(deps, { ...order, target, membership, action }, options);
}

/** Whether a user is in a room, or waits to enter it. */
async function isThere(
  { members }: Pick<Deps, 'members'>,
  { roomId, target }: OrderTarget,
): Promise<boolean> {
  const member = await members.findOne({ _id: memberId(roomId, target) }, { projection: { membership: 1 } });
  return member !== null && isPresent(member.membership);
}

function addResults(counts: OrderCounts, results: readonly OrderResult[]): OrderCounts {
  const total = { ...counts };
  for (const { outcome } of results) total[outcome] += 1;
  return total;
}
