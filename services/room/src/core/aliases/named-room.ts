import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { isRoomAlias, isRoomId, serverNameOf } from '../protocol/mod.ts';
import { resolveAlias } from './resolve-room.ts';

/** @throws refuse.unknown for a text that is not a legal room id (behaviour.md 0.8) */
export function requireRoomId(roomId: string): void {
  if (!isRoomId(roomId)) throw refuse.unknown('Not a room id');
}

/**
 * The id of the room that an administrator names by its id, which need not be known, or by an alias (behaviour.md 0.8).
 *
 * @throws refuse.unknown for any other text, refuse.notFound for an unknown alias of this server,
 * refuse.unreachableServer for an alias of another server
 */
export async function namedRoom(
  deps: Pick<Deps, 'aliases' | 'rooms' | 'serverName'>,
  idOrAlias: string,
): Promise<string> {
  if (isRoomId(idOrAlias)) return idOrAlias;
  if (!isRoomAlias(idOrAlias)) throw refuse.unknown('Neither a room id nor an alias');
  const roomId = await resolveAlias(deps, idOrAlias);
  if (roomId !== undefined) return roomId;
  if (serverNameOf(idOrAlias) === deps.serverName) throw refuse.notFound('Room alias not found');
  throw refuse.unreachableServer('The server of the alias cannot be reached');
}
