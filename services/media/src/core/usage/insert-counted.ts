import { aggregateInsertion, type BulkCommit, commitAll } from '@steward/service';
import { Conflict, NOT_FLUSHED, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Media } from '../model/media.ts';
import { namedUsage, type Usage } from '../model/usage.ts';
import { addedTo } from './change-usage.ts';

/**
 * Inserts media of users, as far as they do not exist, each user's together with the commit that counts them, so that a
 * crash leaves both or neither. Requires the capability `insertsAlongCommit`, and that no profile changes at the same time, as
 * in an import, which has the store for itself. The caller makes the writes durable.
 */
export async function insertCounted(deps: Deps, media: readonly Media[]): Promise<void> {
  let missing = media;
  await retryOnConflict(async () => {
    if (missing.length === 0 || (await tryToInsert(deps, missing))) return;
    missing = await withoutExisting(deps, missing);
    throw new Conflict('version');
  }, deps);
}

/** The media that do not exist. */
export async function withoutExisting(
  { media: stored }: Pick<Deps, 'media'>,
  media: readonly Media[],
): Promise<readonly Media[]> {
  const ids = media.map(({ _id }) => _id);
  const existing = new Set<string>();
  for await (const { _id } of stored.find({ _id: { $in: ids } }, { projection: { _id: 1 } })) {
    existing.add(_id);
  }
  return existing.size === 0 ? media : media.filter(({ _id }) => !existing.has(_id));
}

/** @returns whether all were inserted; not those of users whose usage others have changed in between */
async function tryToInsert(deps: Deps, media: readonly Media[]): Promise<boolean> {
  const byUser = Map.groupBy(media, ({ user_id }) => user_id ?? '');
  const usages = new Map<string, Usage>();
  for await (const usage of deps.usage.find({ _id: { $in: [...byUser.keys()] } }))
    usages.set(usage._id, usage);
  const names = await deps.users.displaynames([...byUser.keys()].filter((userId) => !usages.has(userId)));
  const commits = [...byUser].map(([userId, added]): BulkCommit<Usage> => {
    const along = [aggregateInsertion(deps.media, added)];
    const current = usages.get(userId);
    if (current) return { current, change: { set: addedTo(current, added) }, along };
    const empty = namedUsage(userId, names.get(userId) ?? null);
    return { create: { ...empty, ...addedTo(empty, added) }, along };
  });
  return commitAll(deps.usage, commits, NOT_FLUSHED);
}
