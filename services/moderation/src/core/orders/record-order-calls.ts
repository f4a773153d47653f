import { createHash } from 'node:crypto';
import { auditedMethod, describeRequest, timePrefix } from '@steward/audit';
import type { Refusal } from '@steward/errors';
import { idOf } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import { caseName } from '../desk/case-aggregate.ts';
import { eventId } from '../feed/feed-event.ts';
import type { CaseOrder, CaseResolution } from '../model/case.ts';
import { type RecordEntryDeps, recordEntry } from '../record-entry.ts';
import { type CarriedOut, type DocumentedCall, documentedCalls } from './documented-calls.ts';
import { storedOrder } from './order.ts';

/** An order of a resolution. */
export interface ResolvedOrder {
  /** The id of the case. */
  readonly caseId: string;
  readonly resolution: CaseResolution;
  readonly order: CaseOrder;
  /** The task that carries the orders out. */
  readonly taskId: string;
}

/** The digits of numbers in ids, as in those of other entries. */
const SEQUENCE_DIGITS = 6;

/** More than an order has calls: entries sort by orders, and by their calls. */
const CALLS_PER_ORDER = 1_000;

/** The bytes of a digest in an id. */
const DIGEST_BYTES = 16;

const OK_STATUS = 200;

/**
 * Records that an order was carried out, or refused, as the calls of endpoints that do the same would be: each has its entry in the
 * audit log, and its event in the feed unless it was refused. It may be repeated: their ids follow from that of the order.
 */
export async function recordOrderCalls(
  deps: RecordEntryDeps & Pick<Deps, 'clock' | 'fingerprint'>,
  resolved: ResolvedOrder,
  outcome: CarriedOut | Refusal,
): Promise<void> {
  for (const [index, call] of documentedCalls(storedOrder(resolved.order)).entries())
    await recordOne(deps, resolved, outcome, call, index);
}

async function recordOne(
  deps: RecordEntryDeps & Pick<Deps, 'clock' | 'fingerprint'>,
  { caseId, resolution, order, taskId }: ResolvedOrder,
  outcome: CarriedOut | Refusal,
  { method, request, answerOf, values }: DocumentedCall,
  index: number,
): Promise<void> {
  const { action, eventType, eventData, targetsOfRequest, taskOf } = auditedMethod(method);
  const { ts, decider, request_id: requestId, reason, authority } = resolution;
  const { json, truncated } = describeRequest(method.input, request, true);
  const answer = 'status' in outcome ? undefined : answerOf(outcome);
  const refusal = 'status' in outcome ? outcome : undefined;
  const place = resolution.orders.findIndex(({ id: other }) => other === order.id) + 1;
  const sequence = String(place * CALLS_PER_ORDER + index).padStart(SEQUENCE_DIGITS, '0');
  const id = `${timePrefix(ts)}-${sequence}-${digestOf(order.id, refusal !== undefined)}`;
  const now = deps.clock.now();
  const { user_id: userId } = storedOrder(order).details;
  const concerned = userId === undefined ? [] : [userId];
  const targets = [
    ...new Set([...targetsOfRequest(request, deps.fingerprint), ...concerned, caseName(caseId)]),
  ];
  const task = (answer && taskOf(answer)) || taskId;
  await recordEntry(
    deps,
    {
      _id: id,
      ts,
      action,
      actor: decider ?? '',
      acting_as: authority?.acting_as ?? null,
      token_kind: authority?.token_kind ?? 'other',
      device_id: authority?.device_id ?? null,
      address: authority?.address ?? '',
      request_id: requestId,
      targets,
      request: json,
      request_truncated: truncated,
      outcome: refusal ? 'refused' : 'ok',
      status: refusal?.status ?? OK_STATUS,
      errcode: refusal ? (refusal.errcode ?? null) : null,
      task_id: task,
      ended_ts: now,
      ...(eventType === '' ? {} : { event_type: eventType }),
      ...(reason === null ? {} : { reason }),
    },
    answer && eventType !== ''
      ? {
          id: eventId(id),
          type: eventType,
          time: now,
          actor: decider,
          requestId: requestId || null,
          taskId: task,
          targets,
          data: eventData(request, answer, values && { type: eventType, values, targets: [] }),
        }
      : undefined,
  );
}

/**
 * Part of the id of an entry: unique, like the random ones of others. An order that was refused, and after a crash could be carried out,
 * has two entries.
 */
function digestOf(orderId: string, isRefused: boolean): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([orderId, isRefused]))
    .digest();
  return idOf(digest.subarray(0, DIGEST_BYTES));
}
