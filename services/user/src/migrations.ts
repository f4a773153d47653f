import { type Collection, forEachBatch, type Migration, NOT_FLUSHED, type Store } from '@steward/store';
import {
  type Account,
  accounts,
  type HeldThreepid,
  searchedThreepids,
  withDerived,
} from './core/model/account.ts';
import { canonicalAddress, threepidKey } from './core/model/threepid.ts';

/** The number of accounts that are read and written together. */
const BATCH = 200;

/** Is told how many accounts have been looked at. */
type OnDone = (done: number) => void;

/** The steps from the data of earlier releases to those of this one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'the words by which the user directory finds accounts', run: addDirectoryWords },
  { number: 2, name: 'what accounts are searched for and filtered by', run: deriveAgain },
  { number: 3, name: 'e-mail addresses folded as Unicode does', run: foldAddresses },
];

function addDirectoryWords(store: Store, onDone?: OnDone): Promise<void> {
  return changeAll(store, onDone, (account) =>
    account.directory_words === undefined
      ? { directory_words: withDerived(account).directory_words }
      : undefined,
  );
}

/** Folds the searched names as Unicode does, adds the searched addresses, and the flag of erased accounts to their facets. */
function deriveAgain(store: Store, onDone?: OnDone): Promise<void> {
  return changeAll(store, onDone, (account) => {
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

/**
 * Stores e-mail addresses in the form in which they are compared. Accounts that had one address in several spellings leave it with
 * the one that added it last, as if that were done now (behaviour.md 2.2).
 */
async function foldAddresses(store: Store, onDone: OnDone = () => {}): Promise<void> {
  const accountsOf = await store.collection<Account>(accounts);
  let done = 0;
  const options = { size: BATCH, projection: { threepids: 1, version: 1 } } as const;
  await forEachBatch(accountsOf, {}, options, async (page) => {
    let changed = true;
    for (const account of page)
      if (foldedOf(account) && !(await foldAddressesOf(accountsOf, account))) changed = false;
    if (changed) {
      done += page.length;
      onDone(done);
    }
    // The page is read again if a process of the earlier release changed one of its accounts in between.
    return changed;
  });
}

type WithAddresses = Pick<Account, '_id' | 'version' | 'threepids'>;

/** The addresses of an account in their new form, the first of those that become equal; undefined when they have it. */
function foldedOf({ threepids }: WithAddresses): Account['threepids'] | undefined {
  const folded = threepids.map((held) => {
    const address = canonicalAddress(held.medium, held.address);
    return address === held.address ? held : { ...held, address, key: threepidKey(held.medium, address) };
  });
  if (folded.every((held, n) => held === threepids[n])) return undefined;
  return [...new Map(folded.toReversed().map((held) => [held.key, held])).values()].toReversed();
}

/** Returns whether the account, and those that lose addresses to it, were as they were read. */
async function foldAddressesOf(accountsOf: Collection<Account>, account: WithAddresses): Promise<boolean> {
  const kept: HeldThreepid[] = [];
  for (const held of foldedOf(account) ?? []) {
    const others = (await accountsOf.find({ 'threepids.key': held.key }).toArray()).filter(
      ({ _id }) => _id !== account._id,
    );
    const theirs = others.flatMap(({ threepids }) => threepids.filter(({ key }) => key === held.key));
    if (theirs.some(({ added_at }) => added_at > held.added_at)) continue;
    for (const other of others) {
      const left = other.threepids.filter(({ key }) => key !== held.key);
      if (!(await setThreepids(accountsOf, other, left))) return false;
    }
    kept.push({ ...held, claim: Math.max(held.claim, ...theirs.map(({ claim }) => claim + 1)) });
  }
  return setThreepids(accountsOf, account, kept);
}

async function setThreepids(
  accountsOf: Collection<Account>,
  { _id, version }: WithAddresses,
  threepids: Account['threepids'],
): Promise<boolean> {
  const $set = { threepids, folded_threepids: searchedThreepids(threepids) };
  const { matchedCount } = await accountsOf.updateOne({ _id, version }, { $set, $inc: { version: 1 } });
  return matchedCount > 0;
}

/** Sets fields of all accounts for which `change` returns some. */
async function changeAll(
  store: Store,
  onDone: OnDone | undefined,
  change: (account: Account) => Partial<Account> | undefined,
): Promise<void> {
  const accountsOf = await store.collection<Account>(accounts);
  let done = 0;
  await forEachBatch(accountsOf, {}, { size: BATCH }, async (page) => {
    const writes = page.flatMap((account) => {
      const $set = change(account);
      if (!$set) return [];
      return [{ updateOne: { filter: { _id: account._id, version: account.version }, update: { $set } } }];
    });
    const { matchedCount } = await accountsOf.bulkWrite(writes, NOT_FLUSHED);
    // The page is read again if a process of the earlier release changed one of its accounts in between.
    if (matchedCount < writes.length) return false;
    done += page.length;
    onDone?.(done);
    return true;
  });
}
