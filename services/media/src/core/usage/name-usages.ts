import type { Deps } from '../deps.ts';
import { nameFields } from '../model/usage.ts';

/** The number of display names in one read. */
const NAMES_AT_ONCE = 500;

/** Copies the display names of users, unless a fact has brought a newer one. */
export async function nameUsages(
  deps: Pick<Deps, 'usage' | 'users'>,
  userIds: readonly string[],
): Promise<void> {
  const names = await deps.users.displaynames(userIds);
  const operations = userIds.map((userId) => {
    return {
      updateOne: {
        filter: { _id: userId, unnamed: true },
        update: { $set: nameFields(names.get(userId) ?? null), $unset: { unnamed: true } },
      },
    } as const;
  });
  if (operations.length > 0) await deps.usage.unversioned.bulkWrite(operations);
}

/** Reads the display names that could not be read when their users' usage was created. */
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
