import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { PutAliasRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { hasScope, raiseDeferred, requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import { claimOwnAlias } from '../../core/aliases/reserve-alias.ts';
import type { Deps } from '../../core/deps.ts';
import { memberId } from '../../core/model/member.ts';
import { isNewAliasLocalpart, isRoomAlias, serverNameOf } from '../../core/protocol/mod.ts';

/** Gives an alias to a room that the caller has joined (client-plane.md 7.11). */
export async function putAlias(deps: Deps, request: PutAliasRequest, context: HandlerContext) {
  const { alias, roomId } = request;
  const caller = requester(context);
  const { userId } = caller;
  if (!isRoomAlias(alias)) throw refuse.invalidParam('This is not a room alias');
  raiseDeferred(context);
  if (!(await loadRoom(deps, roomId))) throw refuse.unknown('There is no such room');
  if (!isNewAliasLocalpart(alias.slice(1, alias.indexOf(':')))) {
    throw refuse.invalidParam('An alias has no white space');
  }
  if (serverNameOf(alias) !== deps.serverName) throw refuse.unknown('The alias is of another server');
  const member = await deps.members.findOne({ _id: memberId(roomId, userId) });
  if (member?.membership !== 'join') {
    if (!hasScope(caller, Scope.ROOMS_WRITE)) throw refuse.forbidden('You are not in this room');
    await recordCall(context, { scope: Scope.ROOMS_WRITE });
  }
  if (!(await claimOwnAlias(deps, alias, roomId, caller))) throw refuse.conflict('The alias is taken');
  return {};
}
