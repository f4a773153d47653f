import { once } from '@steward/limits';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Membership } from '../protocol/mod.ts';

/** The change of a membership that a client requests. */
interface Change {
  readonly roomId: string;
  readonly target: string;
  readonly membership: Membership;
}

/** Counts a request against limits, once, however often the request is decided again. */
export interface MembershipLimits {
  /**
   * Counts the request against the limits of the user who sends it, before the rules of the room decide.
   *
   * @param before the membership until now
   * @throws limitExceeded
   */
  readonly attempt: (before: string) => void;
  /**
   * Counts the event that the rules admit against the limits of the room and of the invited user, which the requests of
   * users without a right in the room do not use up.
   *
   * @param before the membership until now
   * @throws limitExceeded
   */
  readonly admit: (before: string) => void;
}

/**
 * The limits of a change of a membership (client-plane.md 9). A limit that refuses leaves the others uncounted. Leaving,
 * rejecting an invitation and retracting a knock are never limited.
 */
export function membershipLimits(
  { limits }: Pick<Deps, 'limits'>,
  caller: Requester,
  { roomId, target, membership }: Change,
): MembershipLimits {
  const leaves = membership === 'leave' && target === caller.userId;
  const enters = (before: string) => membership === 'join' && before !== 'join';
  const attempt = once((before: string) => {
    if (leaves) return;
    if (enters(before)) {
      limits.joinsLocal.take(caller);
    } else if (membership === 'invite') {
      limits.invitesPerIssuer.check(caller);
      limits.message.take(caller);
      limits.invitesPerIssuer.take(caller);
    } else {
      limits.message.take(caller);
    }
  });
  const admit = once((before: string) => {
    if (enters(before)) {
      limits.joinsPerRoom.take(roomId);
    } else if (membership === 'invite') {
      limits.invitesPerUser.check(target);
      limits.invitesPerRoom.take(roomId);
      limits.invitesPerUser.take(target);
    }
  });
  return { attempt, admit };
}
