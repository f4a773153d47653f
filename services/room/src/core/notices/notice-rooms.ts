import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';

/** The dependencies of the rules for rooms of server notices. */
export type NoticeDeps = Pick<Deps, 'settings' | 'users'>;

/**
 * The accounts among these with which the server sends notices, or did before the setting was changed, whether or not it sends any now. One
 * of that name that the server did not make is an ordinary account. Without an account the name counts, in any case: no other account can have it.
 */
export async function noticesAccounts(
  { settings, users }: NoticeDeps,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const profiles = await users.profiles(userIds);
  const isSender = (userId: string) =>
    profiles.get(userId)?.actsForServer ?? userId.toLowerCase() === settings.noticesUserId.toLowerCase();
  return new Set(userIds.filter(isSender));
}

/** Whether a user is such an account. */
export async function isNoticesAccount(deps: NoticeDeps, userId: string): Promise<boolean> {
  return (await noticesAccounts(deps, [userId])).has(userId);
}

/** Whether a room is for server notices: their sender created it. */
export function isNoticeRoom(deps: NoticeDeps, { creator }: Pick<Room, 'creator'>): Promise<boolean> {
  return isNoticesAccount(deps, creator);
}

/**
 * Refuses what would make the sender of notices speak, change who may speak, or add readers, in a room of server notices.
 *
 * @throws refuse.forbidden
 */
export async function refuseNoticeRoom(deps: NoticeDeps, room: Pick<Room, 'creator'>): Promise<void> {
  if (await isNoticeRoom(deps, room)) throw refuse.forbidden('The room is for server notices');
}

/**
 * Refuses to bring a user into a room of server notices, in which only the server invites. Members of a deleted room can be moved to a room of
 * the same creator, which others may enter.
 *
 * @throws refuse.forbidden
 */
export async function refuseEntry(
  deps: NoticeDeps,
  room: Pick<Room, 'creator' | 'founded_by'>,
): Promise<void> {
  if (room.founded_by === undefined) await refuseNoticeRoom(deps, room);
}

/**
 * Refuses to bring the sender of notices into rooms, or to give it power there.
 *
 * @throws refuse.forbidden
 */
export async function refuseNoticesAccount(deps: NoticeDeps, ...userIds: readonly string[]): Promise<void> {
  if ((await noticesAccounts(deps, userIds)).size > 0)
    throw refuse.forbidden('The sender of notices can be in notice rooms only');
}

/** The members of a room of server notices: the sender and the reader. */
const MEMBERS = 2;

/** Whether a room in which sender and reader are has no other members, who would read the notices, too. */
export function hasNoOthers(room: Pick<Room, 'joined_members' | 'invited_members'>): boolean {
  return room.joined_members + room.invited_members <= MEMBERS;
}
