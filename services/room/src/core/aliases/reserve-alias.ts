import type { QuotaHolder } from '@steward/limits';
import { Conflict, type WriteOptions } from '@steward/store';
import type { Deps } from '../deps.ts';
import { resolveAlias } from './resolve-room.ts';

/**
 * How long an alias is reserved for a room that does not exist yet, in milliseconds; longer than the creation of a room
 * takes, so that an older reservation was left by a crash.
 */
const RESERVATION_MS = 5 * 60_000;

type AliasDeps = Pick<Deps, 'aliases' | 'rooms' | 'clock'>;

/** The user who creates an alias. */
export type AliasCreator = QuotaHolder & { readonly userId: string };

/**
 * Gives an alias of a user to a room, which may not exist yet, as `claimAlias` does. The aliases of the user are counted
 * once more afterwards, and the alias is released if concurrent requests have created others: together they never leave
 * more than the quota.
 *
 * @throws quotaExceeded when it would be one too many
 */
export async function claimOwnAlias(
  deps: AliasDeps & Pick<Deps, 'quotas'>,
  alias: string,
  roomId: string,
  creator: AliasCreator,
): Promise<boolean> {
  const { userId } = creator;
  if (!Number.isFinite(deps.quotas.of(creator, 'aliases'))) return claimAlias(deps, alias, roomId, userId);
  const count = () => deps.aliases.countDocuments({ creator: userId });
  deps.quotas.require(creator, 'aliases', (await count()) + 1);
  if (!(await claimAlias(deps, alias, roomId, userId))) return false;
  try {
    deps.quotas.require(creator, 'aliases', await count());
  } catch (error) {
    await releaseAlias(deps, alias, roomId);
    throw error;
  }
  return true;
}

/** Gives an alias to a room, which may not exist yet. Returns `false` when the alias stands for another room. */
export async function claimAlias(
  deps: AliasDeps,
  alias: string,
  roomId: string,
  creator: string,
  options?: WriteOptions,
): Promise<boolean> {
  const now = deps.clock.now();
  try {
    await deps.aliases.insertOne({ _id: alias, room_id: roomId, creator, created_ts: now }, options);
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
