import { createHash } from 'node:crypto';
import { auditedMethod, describeRequest, timePrefix } from '@steward/audit';
import type { Refusal } from '@steward/errors';
import { idOf } from '@steward/kernel';
import { caseName } from '../cases/case-aggregate.ts';
import type { Deps } from '../deps.ts';
import { eventId } from '../feed/feed-event.ts';
import type { CaseAction, CaseResolution } from '../model/case.ts';
import { type RecordEntryDeps, recordEntry } from '../record-entry.ts';
import type { CarriedOut, DocumentedCall } from './define-action.ts';
import { documentedCalls, storedAction } from './kinds.ts';

/** An action of a resolution. */
export interface ResolvedAction {
  readonly caseId: string;
  readonly resolution: CaseResolution;
  readonly action: CaseAction;
  /** The task that carries the actions out. */
  readonly taskId: string;
}

/** The digits of numbers in ids, as in those of other entries. */
const SEQUENCE_DIGITS = 6;

/** More than an action has calls: entries sort by actions, and by their calls. */
const CALLS_PER_ACTION = 1_000;

/** The bytes of a digest in an id. */
const DIGEST_BYTES = 16;

const OK_STATUS = 200;

/**
 * Records that an action was carried out, or refused, as the calls of endpoints that do the same would be: each has its entry in the
 * audit log, and its event in the feed unless it was refused. It may be repeated: their ids follow from that of the action.
 */
export async function recordActionCalls(
  deps: RecordEntryDeps & Pick<Deps, 'clock' | 'fingerprint'>,
  resolved: ResolvedAction,
  outcome: CarriedOut | Refusal,
): Promise<void> {
  for (const [index, call] of documentedCalls(storedAction(resolved.action)).entries())
    await recordOne(deps, resolved, outcome, call, index);
}

async function recordOne(
  deps: RecordEntryDeps & Pick<Deps, 'clock' | 'fingerprint'>,
  { caseId, resolution, action, taskId }: ResolvedAction,
  outcome: CarriedOut | Refusal,
  { method, request, answerOf, values }: DocumentedCall,
  index: number,
): Promise<void> {
  const { action: name, eventType, eventData, targetsOfRequest, taskOf } = auditedMethod(method);
  const { ts, decider, request_id: requestId, reason, authority } = resolution;
  const { json, truncated } = describeRequest(method.input, request, true);
  const answer = 'status' in outcome ? undefined : answerOf(outcome);
  const refusal = 'status' in outcome ? outcome : undefined;
  const place = resolution.orders.findIndex(({ id: other }) => other === action.id) + 1;
  const sequence = String(place * CALLS_PER_ACTION + index).padStart(SEQUENCE_DIGITS, '0');
  const id = `${timePrefix(ts)}-${sequence}-${digestOf(action.id, refusal !== undefined)}`;
  const now = deps.clock.now();
  const { user_id: userId } = storedAction(action).details;
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
      action: name,
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
 * Part of the id of an entry: unique, like the random ones of others. An action that was refused, and after a crash could be carried out,
 * has two entries.
 */
function digestOf(actionId: string, isRefused: boolean): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([actionId, isRefused]))
    .digest();
  return idOf(digest.subarray(0, DIGEST_BYTES));
}
