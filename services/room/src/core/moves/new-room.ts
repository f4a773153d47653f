import { refuse } from '@steward/errors';
import { initializeRoom, type RoomInitialization, rehearseIn } from '../aggregate/initialize-room.ts';
import type { DeletionParams } from '../deletion/deletion.ts';
import { requireLocalCreator } from '../deletion/require-local-creator.ts';
import type { Deps } from '../deps.ts';
import { accountOf } from '../membership/change-membership.ts';
import type { Room } from '../model/room.ts';
import { type EventDraft, planRoom } from '../protocol/mod.ts';
import { addChecked } from '../sending/add-checked.ts';

/** The `users_default` power level of the room to which the members are moved. */
const MOVED_LEVEL = -10;

/** The room to which the members of a deleted one are moved. */
export type NewRoom = Pick<DeletionParams, 'roomName' | 'message'> & { readonly creator: string };

/**
 * Requires that the new room of a deletion can be created, if one is requested, and the message sent in it, before the deletion begins.
 *
 * @throws refuse.unknown when its creator cannot be a user of this server, or is deactivated; the refusal of an event, such as one that is too
 * large
 */
export async function requireNewRoom(deps: Deps, params: DeletionParams): Promise<void> {
  const { newRoomUser: creator } = params;
  if (creator === null) return;
  requireLocalCreator(deps, params);
  const room = { ...params, creator };
  await rehearseIn(deps, await planOf(deps, room), (view) => addChecked(deps, view, messageOf(room)));
}

/**
 * Creates the new room.
 *
 * @param foundedBy the id of the task that creates it
 * @throws as `requireNewRoom`
 */
export async function createNewRoom(deps: Deps, room: NewRoom, foundedBy: string): Promise<Room> {
  return initializeRoom(deps, { ...(await planOf(deps, room)), foundedBy });
}

/** The message that explains the move. */
export function messageOf({ creator: sender, message: body }: NewRoom): EventDraft {
  return { type: 'm.room.message', sender, content: { msgtype: 'm.text', body } };
}

async function planOf(deps: Deps, { creator, roomName: name }: NewRoom): Promise<RoomInitialization> {
  const { profile, deactivated } = await accountOf(deps, creator);
  if (deactivated) throw refuse.unknown("'new_room_user_id' is deactivated: name an active user");
  const request = { preset: 'public_chat', name, powerLevelContentOverride: { users_default: MOVED_LEVEL } };
  const plan = planRoom(request, {
    creator,
    creatorProfile: profile,
    serverName: deps.serverName,
    defaultRoomVersion: deps.settings.defaultRoomVersion,
  });
  const { version, isPublic, drafts } = plan;
  return { version, creator, isPublic, drafts, traceparent: '' };
}
