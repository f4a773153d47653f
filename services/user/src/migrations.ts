import { type Migration, NOT_FLUSHED, type Store } from '@steward/store';
import { type Account, accounts, withDerived } from './core/model/account.ts';

/** The number of accounts that are read and written together. */
const BATCH = 200;

/** The steps from the data of earlier releases to those of this one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'the words by which the user directory finds accounts', run: addDirectoryWords },
  { number: 2, name: 'what accounts are searched for and filtered by', run: deriveAgain },
];

function addDirectoryWords(store: Store): Promise<void> {
  return changeAll(store, (account) =>
    account.directory_words === undefined
      ? { directory_words: withDerived(account).directory_words }
      : undefined,
  );
}

/** Folds the searched names as Unicode does, adds the searched addresses, and the flag of erased accounts to their facets. */
function deriveAgain(store: Store): Promise<void> {
  return changeAll(store, (account) => {
    const { folded_localpart, folded_displayname, folded_threepids, facet } = withDerived(account);
    const isCurrent =
      account.folded_localpart === folded_localpart &&
      account.folded_displayname === folded_displayname &&
      account.folded_threepids === folded_threepids &&
      account.facet === facet;
    if (isCurrent) return undefined;
    return {
      folded_localpart,
      folded_displayname,
      facet,
      ...(folded_threepids === undefined ? {} : { folded_threepids }),
    };
  });
}

/** Sets fields of all accounts for which `change` returns some. */
async function changeAll(
  store: Store,
  change: (account: Account) => Partial<Account> | undefined,
): Promise<void> {
  const accountsOf = await store.collection<Account>(accounts);
  let last = '';
  for (;;) {
    const page = await accountsOf.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: BATCH }).toArray();
    const end = page.at(-1);
    if (!end) return;
    const writes = page.flatMap((account) => {
      const $set = change(account);
      if (!$set) return [];
      return [{ updateOne: { filter: { _id: account._id, version: account.version }, update: { $set } } }];
    });
    const { matchedCount } = await accountsOf.bulkWrite(writes, NOT_FLUSHED);
    // The page is read again if a process of the earlier release changed one of its accounts in between.
    if (matchedCount === writes.length) last = end._id;
  }
}
