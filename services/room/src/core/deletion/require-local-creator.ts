import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { parseUserId } from '@steward/kernel';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { requireUsedScope } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { isNoticesAccount, type NoticeDeps } from '../notices/notice-rooms.ts';
import type { DeletionParams } from './deletion.ts';

/**
 * Requires the scope of sending notices of who would have their sender speak in the new room.
 *
 * @throws refuse.forbidden
 */
export async function requireScopeOfCreator(
  deps: NoticeDeps,
  { newRoomUser }: DeletionParams,
  context: HandlerContext,
): Promise<void> {
  if (newRoomUser !== null && (await isNoticesAccount(deps, newRoomUser)))
    requireUsedScope(context, Scope.NOTICES_SEND);
}

/** @throws refuse.unknown when the creator of the new room cannot be a user of this server */
export function requireLocalCreator(
  { serverName }: Pick<Deps, 'serverName'>,
  { newRoomUser }: DeletionParams,
): void {
  if (newRoomUser !== null && parseUserId(newRoomUser)?.domain !== serverName) {
    throw refuse.unknown("'new_room_user_id' must be a user of this server");
  }
}
