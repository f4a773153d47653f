import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { memberId } from '../model/member.ts';
import { refuseOverLimit } from '../refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../refusals/refuse-suspended.ts';
import { requestMembership } from './change-membership.ts';

/** Joins a room as the caller; returns the id of the member event. */
export async function enterRoom(
  deps: Deps,
  caller: Requester,
  roomId: string,
  given: JsonObject,
  traceparent: string | null,
): Promise<string> {
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  const { userId } = caller;
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  // Checked before the room is asked, so that a user beyond the limit causes no work in it.
  if (member?.membership !== 'join') deps.limits.joinsLocal.check(caller);
  return requestMembership(
    deps,
    { caller, roomId, target: userId, membership: 'join', given },
    {
      traceparent: traceparent ?? '',
      missing: () => refuse.notFoundUnknown('No server is known that is in this room'),
    },
  );
}
