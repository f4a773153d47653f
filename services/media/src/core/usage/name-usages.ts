import type { Deps } from '../deps.ts';

/** As many display names as are asked for at once. */
const NAMES_AT_ONCE = 500;

/** Takes over the display names of users, unless a change of theirs has been heard of meanwhile. */
export async function nameUsages(
  deps: Pick<Deps, 'usage' | 'users'>,
  userIds: readonly string[],
): Promise<void> {
  const names = await deps.users.displaynames(userIds);
  const operations = userIds.map((userId) => {
    const displayname = names.get(userId) ?? null;
    return {
      updateOne: {
        filter: { _id: userId, unnamed: true },
        update: { $set: { displayname, searched_name: displayname ?? '' }, $unset: { unnamed: true } },
      },
    } as const;
  });
  if (operations.length > 0) await deps.usage.unversioned.bulkWrite(operations);
}

/** Asks for the display names that could not be asked for when they should have been. */
export async function sweepUnnamed(deps: Pick<Deps, 'usage' | 'users'>): Promise<void> {
  for (;;) {
    const unnamed = await deps.usage
      .find({ unnamed: true }, { limit: NAMES_AT_ONCE, projection: { _id: 1 } })
      .toArray();
    await nameUsages(
      deps,
      unnamed.map(({ _id }) => _id),
    );
    if (unnamed.length < NAMES_AT_ONCE) return;
  }
}
