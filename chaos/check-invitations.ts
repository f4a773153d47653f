import type { Site } from './site.ts';

/**
 * Finds invitations of deactivated users that were sent while their accounts were active: the deactivation rejects
 * these. An invitation that is sent or decided after it stays (client-plane.md 5.2).
 *
 * @returns a line for each invitation
 */
export async function checkInvitations(site: Site): Promise<readonly string[]> {
  const deactivated = new Set<string>();
  /** The invitations of active users. */
  const early = new Set<string>();
  const invited: { readonly userId: string; readonly roomId: string; readonly eventId: string }[] = [];
  for await (const { collection, document } of site.documents()) {
    const id = String(document._id);
    if (collection === 'user.accounts' && document.deactivated) deactivated.add(id);
    if (collection === 'room.events' && document.newcomer) early.add(id);
    if (collection === 'room.members' && document.membership === 'invite') {
      const { user_id: userId, room_id: roomId, event_id: eventId } = document;
      invited.push({ userId: String(userId), roomId: String(roomId), eventId: String(eventId) });
    }
  }
  return invited
    .filter(({ userId, eventId }) => deactivated.has(userId) && early.has(eventId))
    .map(({ userId, roomId }) => `${userId} is deactivated, and was invited to ${roomId} before`);
}
