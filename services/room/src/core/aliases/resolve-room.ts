import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { isRoomAlias, isRoomId } from '../protocol/mod.ts';

/** The id of the room for which an alias stands; `undefined` for an unknown alias, or if the room does not exist. */
export async function resolveAlias(
  deps: Pick<Deps, 'aliases' | 'rooms'>,
  alias: string,
): Promise<string | undefined> {
  const found = await deps.aliases.findOne({ _id: alias });
  const room = found && (await deps.rooms.findOne({ _id: found.room_id }, { projection: { _id: 1 } }));
  return room?._id;
}

/**
 * The id of the room that a client names by its id or an alias.
 *
 * @throws refuse.invalidParam for any other text, refuse.notFound for an unknown alias
 */
export async function resolveRoom(deps: Pick<Deps, 'aliases' | 'rooms'>, idOrAlias: string): Promise<string> {
  if (isRoomId(idOrAlias)) return idOrAlias;
  if (!isRoomAlias(idOrAlias)) throw refuse.invalidParam('Neither a room id nor an alias');
  const roomId = await resolveAlias(deps, idOrAlias);
  if (roomId === undefined) throw refuse.notFound('Room alias not found');
  return roomId;
}
