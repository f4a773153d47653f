import type { JsonObject } from '@steward/kernel';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { inventEventId } from '../reading/transaction.ts';
import { delayAsShadowBanned } from '../refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../refusals/refuse-suspended.ts';
import { requestMembership } from './change-membership.ts';

/** Invites a user as the caller; returns the id of the member event, or an invented one for shadow-banned callers. */
export async function inviteUser(
  deps: Deps,
  caller: Requester,
  roomId: string,
  target: string,
  given: JsonObject,
  traceparent: string | null,
): Promise<string> {
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await delayAsShadowBanned(deps);
    return inventEventId(deps, JSON.stringify([roomId, caller.userId, target]));
  }
  return requestMembership(
    deps,
    { caller, roomId, target, membership: 'invite', given, action: 'invite' },
    { traceparent: traceparent ?? '' },
  );
}
