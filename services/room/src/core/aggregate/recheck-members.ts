import type { Deps } from '../deps.ts';
import { memberAdmittedBy } from '../model/admitted-members.ts';
import { isPresent } from '../model/member.ts';
import type { RecheckOfMembers } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { unlessRefused } from '../refusals/unless-refused.ts';
import { addOwnMember } from '../view/add-own-member.ts';
import type { RoomView } from '../view/room-view.ts';
import { append } from './append.ts';
import type { KnownDocuments } from './known-documents.ts';

/**
 * Makes admitted members leave a room if they were deactivated while they were admitted, because the consumer of the
 * deactivation may have read their memberships before these existed (behaviour.md 2.5, effects 7 and 10). Idempotent,
 * also when it runs late.
 */
export async function recheckMembers(
  deps: Deps,
  { _id: roomId }: Room,
  effects: readonly RecheckOfMembers[],
  { admittedMembers }: KnownDocuments = {},
): Promise<void> {
  for (const effect of effects) {
    const userIds =
      admittedMembers?.recheck.id === effect.id
        ? admittedMembers.userIds
        : await readAdmitted(deps, roomId, effect);
    const deactivated = await deps.users.deactivated(userIds);
    const leave = async (view: RoomView) => {
      for (const userId of deactivated) {
        if (isPresent(await view.membership(userId))) await addOwnMember(view, userId, 'leave');
      }
    };
    if (deactivated.size > 0) await unlessRefused(append(deps, roomId, leave, { inBackground: true }));
  }
}

async function readAdmitted(
  deps: Pick<Deps, 'events'>,
  roomId: string,
  { from, to }: RecheckOfMembers,
): Promise<readonly string[]> {
  const ofCommit = { room_id: roomId, type: 'm.room.member', arrival: { $gte: from, $lte: to } };
  const events = await deps.events.find(ofCommit).toArray();
  return events.flatMap((event) => memberAdmittedBy(event) ?? []);
}
