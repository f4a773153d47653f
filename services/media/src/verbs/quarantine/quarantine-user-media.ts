import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import {
  MediaAdministrationService,
  type QuarantineUserMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type Reach, reachOf } from '../../core/reach.ts';
import { READABLE } from '../../core/same-content.ts';
import { QUARANTINE_USER_MEDIA, quarantineAll } from './bulk-quarantine.ts';
import { findIfFew } from './find-if-few.ts';
import { quarantinePlan } from './quarantine-plan.ts';

const MAX_WAIT_MS = methodRules(MediaAdministrationService.method.quarantineUserMedia).maxWaitMs;

/** Quarantines a user's media and all of the same content, except quarantined ones (behaviour.md 5, 14.2). */
export async function quarantineUserMedia(
  deps: Deps,
  request: QuarantineUserMediaRequest,
  context: HandlerContext,
) {
  const caller = requester(context);
  const { userId: requestedBy } = caller;
  const reach = await reachOf(deps, caller);
  const { userId } = request;
  const bulk = { kind: QUARANTINE_USER_MEDIA, key: userId, requestedBy, maxWaitMs: MAX_WAIT_MS } as const;
  const few = () => fewOf(deps, userId, reach);
  return { numQuarantined: BigInt(await quarantineAll(deps, bulk, few, context.signal)) };
}

/** Plans `quarantineUserMedia`. */
export async function planQuarantineUserMedia(
  deps: Deps,
  { userId }: QuarantineUserMediaRequest,
  context: HandlerContext,
): Promise<Planned> {
  const caller = requester(context);
  const few = await fewOf(deps, userId, await reachOf(deps, caller));
  const selected = few ? { _id: { $in: few.keys }, ...READABLE } : { user_id: userId, ...READABLE };
  return quarantinePlan(deps, selected, caller.userId, few === undefined);
}

function fewOf(deps: Deps, userId: string, reach: Reach) {
  return findIfFew(deps, { user_id: userId }, READABLE, reach);
}
