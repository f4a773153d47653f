import type { Deps } from '../deps.ts';
import { type Newcomers, newcomerOf } from '../model/admitted-members.ts';
import { isPresent } from '../model/member.ts';
import { isLook, OWED } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { unlessRefused } from '../refusals/unless-refused.ts';
import { addOwnMember } from '../view/add-own-member.ts';
import type { RoomView } from '../view/room-view.ts';
import { append } from './append.ts';

/**
 * Makes those leave a room, of some who have just been let in, who were deactivated meanwhile: they have perhaps been
 * looked for in the room before they were there (behaviour.md 2.5, effects 7 and 10). Never rejects: what fails is
 * done by the next sweep, which tells of it.
 */
export async function lookAtNewcomers(deps: Deps, roomId: string, newcomers: Newcomers): Promise<void> {
  await look(deps, roomId, newcomers).catch(() => {});
}

/** Looks at all newcomers for whom a room owes it; everything else that it owes has been done. */
export async function settleNewcomers(deps: Deps, { _id: roomId, pending = [] }: Room): Promise<void> {
  for (const owed of pending.filter(isLook)) {
    const { from, to } = owed;
    const ofCommit = { room_id: roomId, type: 'm.room.member', arrival: { $gte: from, $lte: to } };
    const events = await deps.events.find(ofCommit).toArray();
    const userIds = events.flatMap((event) => newcomerOf(event) ?? []);
    await look(deps, roomId, { userIds, owed });
  }
}

/** Safe to do twice, and late. */
async function look(deps: Deps, roomId: string, { userIds, owed }: Newcomers): Promise<void> {
  const gone = await deps.users.deactivated(userIds);
  const leave = async (view: RoomView) => {
    for (const userId of gone) {
      if (isPresent(await view.membership(userId))) await addOwnMember(view, userId, 'leave');
    }
  };
  if (gone.size > 0) await unlessRefused(append(deps, roomId, leave, { inBackground: true }));
  await deps.rooms.updateOne({ _id: roomId }, { $pull: { pending: { id: owed.id } } }, OWED);
}
