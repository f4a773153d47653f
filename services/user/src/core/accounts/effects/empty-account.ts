import type { Collection } from '@steward/store';
import type { Deps } from '../../deps.ts';
import type { Account } from '../../model/account.ts';
import { removeKeys } from './remove-keys.ts';

/** What emptying an account works on. */
export type EmptyDeps = Parameters<typeof removeKeys>[0] & Pick<Deps, 'accountData' | 'filters' | 'tokens'>;

/** What every document has that an account keeps until it is deactivated. */
interface Kept {
  readonly _id: string;
  readonly user_id: string;
  /** The account's session epoch when it was last changed. */
  readonly epoch: number;
}

/** Where documents are that an account keeps, whatever becomes of its sessions. */
function keptIn({ accountData, filters }: EmptyDeps): readonly Pick<Collection<Kept>, 'deleteMany'>[] {
  return [accountData, filters];
}

/**
 * Removes what an account kept before it was last deactivated (behaviour.md 2.5, effects 13 and 14). What came
 * since is of a later epoch and stays, however late this runs.
 */
export async function emptyAccount(deps: EmptyDeps, account: Account): Promise<void> {
  const before = { $lt: account.emptied_epoch ?? 0 };
  // By these administrators acted as its user; its own tokens went with its sessions.
  await deps.tokens.deleteMany({ user_id: account._id, user_epoch: before });
  const emptied = { user_id: account._id, epoch: before };
  for (const collection of keptIn(deps)) await collection.deleteMany(emptied);
  await removeKeys(deps, account);
}
