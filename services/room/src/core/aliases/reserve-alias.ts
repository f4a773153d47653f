import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { resolveAlias } from './resolve-room.ts';

/**
 * How long an alias is reserved for a room that does not exist yet, in milliseconds; longer than the creation of a room
 * takes, so that an older reservation was left by a crash.
 */
const RESERVATION_MS = 5 * 60_000;

/**
 * Gives an alias to a room, which may not exist yet.
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

/** As `reserveAlias`, but returns `false` when the alias stands for another room. */
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
  // The condition on the room fails if another request takes the alias over first.
  const { matchedCount } = await deps.aliases.updateOne(
    { _id: alias, room_id: held.room_id },
    { $set: { room_id: roomId, creator, created_ts: now } },
  );
  return matchedCount > 0;
}

/** Releases an alias that was reserved for a room whose creation failed. */
export async function releaseAlias(
  deps: Pick<Deps, 'aliases'>,
  alias: string,
  roomId: string,
): Promise<void> {
  await deps.aliases.deleteOne({ _id: alias, room_id: roomId });
}
