import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from './deps.ts';
import { keyOf, uriOf } from './model/media.ts';

/** The number of media in one check: few, because other services look each of them up. */
const BATCH_SIZE = 100;

type CheckDeps = Pick<Deps, 'media' | 'rooms' | 'users'>;

/**
 * Looks up whether an event of a room or a profile shows some media, and stores it. Idempotent.
 *
 * Each check is numbered before it asks, and stores its answer only if no later one has begun: of two concurrent checks the
 * later one has seen every change that the earlier one was made for.
 *
 * @param keys the ids of documents; those that do not exist are passed over
 */
export async function checkShown(deps: CheckDeps, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += BATCH_SIZE) {
    await checkSome(deps, keys.slice(from, from + BATCH_SIZE));
  }
}

/** Checks the media that content URIs name. Other texts are passed over. */
export function checkUris(deps: CheckDeps, uris: readonly string[]): Promise<void> {
  return checkShown(deps, [...new Set(uris.flatMap(keyOf))]);
}

/** Checks the media that no check has looked at: those of an import, or of an earlier version. */
export async function sweepUnchecked(deps: CheckDeps): Promise<void> {
  for (;;) {
    const some = await deps.media
      .find({ unchecked: true }, { limit: BATCH_SIZE, projection: { _id: 1 } })
      .toArray();
    await checkShown(
      deps,
      some.map(({ _id }) => _id),
    );
    if (some.length < BATCH_SIZE) return;
  }
}

async function checkSome({ media, rooms, users }: CheckDeps, keys: readonly string[]): Promise<void> {
  const named = { _id: { $in: keys } };
  // After a power failure the check runs again.
  const { matchedCount } = await media.unversioned.updateMany(named, { $inc: { checks: 1 } }, NOT_FLUSHED);
  if (matchedCount === 0) return;
  const numbered = await media.find(named, { projection: { origin: 1, media_id: 1, checks: 1 } }).toArray();
  const uris = numbered.map(uriOf);
  const shown = new Set((await Promise.all([rooms.shown(uris), users.avatarsInUse(uris)])).flat());
  await media.unversioned.bulkWrite(
    numbered.map(({ checks = 0, ...medium }) => ({
      updateOne: {
        filter: { _id: medium._id, checks },
        update: { $set: { shown: shown.has(uriOf(medium)) }, $unset: { unchecked: true as const } },
      },
    })),
    { ordered: false },
  );
}
