import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import { MediaOrderGivenSchema } from '@steward/proto/steward/feed/v1/media_pb.ts';
import { callId, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { totalsOf } from '../../core/inventory/read-page.ts';
import {
  isEmpty,
  type RequestedSelector,
  readSelector,
  type Selector,
} from '../../core/inventory/selector.ts';
import { MEDIA_ORDER, type MediaOrder, type OrderParams } from './order-task.ts';

/**
 * How old orphaned media are at least that an order deletes, in milliseconds: a client sends the event that shows an upload after
 * the upload.
 */
const ORPHAN_AGE_MS = 60 * 60_000;

/** The answer to an order. */
interface Given {
  readonly taskId?: string;
  readonly total: bigint;
  readonly totalBytes: bigint;
}

/**
 * Begins an order about all media that a selector finds and that are stored now; a trial only counts them.
 *
 * @throws refuse.invalidParam for a selector without a condition
 */
export async function orderMedia(
  deps: Pick<Deps, 'media' | 'rooms' | 'accessTimes' | 'tasks' | 'clock'>,
  order: MediaOrder,
  request: RequestedSelector & { readonly dryRun?: boolean | undefined },
  context: HandlerContext,
): Promise<Given> {
  const selector = await selectorOf(deps, order, request);
  const { count, bytes } = await totalsOf(deps, selector);
  const { dryRun = false } = request;
  const found = { total: BigInt(count), totalBytes: BigInt(bytes) };
  reportEvent(context, MediaOrderGivenSchema, { order, ...found, dryRun });
  if (dryRun) return found;
  const params: OrderParams = { order, selector };
  const { userId: requestedBy } = requester(context);
  const taskId = await deps.tasks.createOnce({
    id: callId(context),
    kind: MEDIA_ORDER,
    key: MEDIA_ORDER,
    params,
    requestedBy,
  });
  return { taskId, ...found };
}

/** Leaves out what is stored later, and orphaned media whose event may still follow. */
function concerned(order: MediaOrder, selector: Selector, now: number): Selector {
  const until = order === 'delete' && selector.orphaned ? now - ORPHAN_AGE_MS : now + 1;
  return { ...selector, createdBefore: Math.min(selector.createdBefore ?? until, until) };
}

/** Plans an order that quarantines or deletes media. What the caller may not act against is counted, and left out by the order. */
export async function planOrderMedia(
  deps: Pick<Deps, 'media' | 'rooms' | 'accessTimes' | 'clock'>,
  order: 'quarantine' | 'delete',
  request: RequestedSelector,
): Promise<Planned> {
  const selector = await selectorOf(deps, order, request);
  if (order === 'delete') {
    const { count, bytes } = await totalsOf(deps, selector);
    return {
      changes: [{ kind: 'media', change: 'removed', count }],
      irreversible: count > 0 ? ['media'] : [],
      state: [bytes],
    };
  }
  const { quarantined = false, protected: isProtected = false } = selector;
  const readable = { ...selector, quarantined: false, protected: false };
  const { count, bytes } =
    quarantined || isProtected ? { count: 0, bytes: 0 } : await totalsOf(deps, readable);
  return { changes: [{ kind: 'media', change: 'changed', count, atLeast: count > 0 }], state: [bytes] };
}

async function selectorOf(
  deps: Pick<Deps, 'accessTimes' | 'clock'>,
  order: MediaOrder,
  request: RequestedSelector,
): Promise<Selector> {
  const requested = readSelector(request);
  if (isEmpty(requested)) throw refuse.invalidParam('At least one filter must be given');
  await deps.accessTimes.flush();
  return concerned(order, requested, deps.clock.now());
}
