import type { Migration, Store } from '@steward/store';
import { type Account, accounts, withDerived } from './core/model/account.ts';

/** The number of accounts that are read and written together. */
const BATCH = 200;

/** The steps from the data of earlier releases to those of this one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'the words by which the user directory finds accounts', run: addDirectoryWords },
];

async function addDirectoryWords(store: Store): Promise<void> {
  const accountsOf = await store.collection<Account>(accounts);
  let last = '';
  for (;;) {
    const page = await accountsOf.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: BATCH }).toArray();
    const end = page.at(-1);
    if (!end) return;
    const lacking = page.filter(({ directory_words: words }) => words === undefined);
    const { matchedCount } = await accountsOf.bulkWrite(
      lacking.map((account) => ({
        updateOne: {
          filter: { _id: account._id, version: account.version },
          update: { $set: { directory_words: withDerived(account).directory_words } },
        },
      })),
    );
    // The page is read again if a process of the earlier release changed one of its accounts in between.
    if (matchedCount === lacking.length) last = end._id;
  }
}
