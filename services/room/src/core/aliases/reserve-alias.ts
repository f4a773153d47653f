import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { resolveAlias } from './resolve-room.ts';

/**
 * How long an alias is kept for a room that does not exist yet, in milliseconds: longer than the creation
 * of a room can take. After that whoever made it is taken to have died in the midst.
 */
const RESERVATION_MS = 5 * 60_000;

/**
 * Gives an alias to a room, which may be about to be created.
 *
 * @throws refuse.roomInUse when it stands for another room
 */
export async function reserveAlias(
  deps: Pick<Deps, 'aliases' | 'rooms' | 'clock'>,
  alias: string,
  roomId: string,
  creator: string,
): Promise<void> {
  if (!(await claimAlias(deps, alias, roomId, creator))) throw refuse.roomInUse('The alias is taken');
}

/** As `reserveAlias`; returns whether the alias could be had. */
export async function claimAlias(
  deps: Pick<Deps, 'aliases' | 'rooms' | 'clock'>,
  alias: string,
  roomId: string,
  creator: string,
): Promise<boolean> {
  const now = deps.clock.now();
  try {
    await deps.aliases.insertOne({ _id: alias, room_id: roomId, creator, created_ts: now });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  const held = await deps.aliases.findOne({ _id: alias });
  const isFree =
    held !== null &&
    held.created_ts + RESERVATION_MS < now &&
    (await resolveAlias(deps, alias)) === undefined;
  if (!isFree) return false;
  // Whoever else takes it over changes the room that it stands for.
  const { matchedCount } = await deps.aliases.updateOne(
    { _id: alias, room_id: held.room_id },
    { $set: { room_id: roomId, creator, created_ts: now } },
  );
  return matchedCount > 0;
}

/** Gives an alias free again that was reserved for a room which is not to be. */
export async function releaseAlias(
  deps: Pick<Deps, 'aliases'>,
  alias: string,
  roomId: string,
): Promise<void> {
  await deps.aliases.deleteOne({ _id: alias, room_id: roomId });
}
