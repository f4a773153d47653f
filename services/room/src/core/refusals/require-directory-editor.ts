import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { hasScope, requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Room } from '../model/room.ts';
import { powerLevelsOf, readingVersion } from '../protocol/mod.ts';
import { RoomView } from '../view/room-view.ts';

/**
 * Requires that the caller may edit aliases and directory entry of a room: a member whose level suffices for its
 * canonical alias, or an administrator of rooms, whose change is recorded (client-plane.md 7.11).
 *
 * @param room a room from `loadRoom`
 * @throws refuse.forbidden
 */
export async function requireDirectoryEditor(deps: Deps, room: Room, context: HandlerContext): Promise<void> {
  const caller = requester(context);
  if (hasScope(caller, Scope.ROOMS_WRITE)) return recordCall(context, { scope: Scope.ROOMS_WRITE });
  const { userId } = caller;
  const view = new RoomView(deps, room, { known: deps.memory.stateAt(room) });
  if ((await view.membership(userId)) !== 'join') throw refuse.forbidden('You are not in this room');
  const state = await view.lookup([
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const levels = powerLevelsOf(state, readingVersion(room.room_version));
  if (levels.ofUser(userId) < levels.toSend('m.room.canonical_alias', true)) {
    throw refuse.forbidden(
      'Your power level is too low to change the directory entry or the aliases of the room',
    );
  }
}
