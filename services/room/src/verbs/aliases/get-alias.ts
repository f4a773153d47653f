import { refuse } from '@steward/errors';
import type { GetAliasRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import { resolveAlias } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { isRoomAlias } from '../../core/protocol/mod.ts';

/** Resolves an alias to the id of its room (client-plane.md 7.11). */
export async function getAlias(deps: Deps, { alias }: GetAliasRequest) {
  if (!isRoomAlias(alias)) throw refuse.invalidParam('This is not a room alias');
  const roomId = await resolveAlias(deps, alias);
  if (roomId === undefined) throw refuse.notFound('Room alias not found');
  return { roomId, servers: [deps.serverName] };
}
