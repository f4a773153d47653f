import type { Collection } from '@steward/store';
import type { Deps } from '../../deps.ts';
import type { Account } from '../../model/account.ts';
import { removeKeys } from './remove-keys.ts';

/** The dependencies of `emptyAccount`. */
export type EmptyDeps = Parameters<typeof removeKeys>[0] & Pick<Deps, 'accountData' | 'filters' | 'tokens'>;

/** The fields of every document that belongs to an account until it is deactivated. */
interface AccountDocument {
  readonly _id: string;
  readonly user_id: string;
  /** The account's session epoch when it was last changed. */
  readonly epoch: number;
}

/** The collections of documents that outlive the sessions of their account. */
function accountCollections({
  accountData,
  filters,
}: EmptyDeps): readonly Pick<Collection<AccountDocument>, 'deleteMany'>[] {
  return [accountData, filters];
}

/**
 * Removes the documents that an account had before it was last deactivated (behaviour.md 2.5, effects 13 and 14).
 * Later documents have a later epoch and stay, however late this runs.
 */
export async function emptyAccount(deps: EmptyDeps, account: Account): Promise<void> {
  const before = { $lt: account.emptied_epoch ?? 0 };
  // The tokens with which administrators act as the user; the end of the sessions removes the user's own.
  await deps.tokens.deleteMany({ user_id: account._id, user_epoch: before });
  const emptied = { user_id: account._id, epoch: before };
  for (const collection of accountCollections(deps)) await collection.deleteMany(emptied);
  await removeKeys(deps, account);
}
