import { accountTopic } from '@steward/events';
import type { QuotaHolder, QuotaKind } from '@steward/limits';
import { type AggregateDeps, defineAggregate, type PendingEffect } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { AccountDataStream } from '../model/account-data.ts';

/** The minimum time between recounts, in milliseconds: not every request to a full account may cause one. */
const RECOUNT_AFTER_MS = 10_000;

/** How long a document may take to be written after its space was reserved, in milliseconds. */
const WRITE_MS = 60_000;

/** The pending effect of a change: its document has yet to get its position. */
interface Announcement extends PendingEffect {
  readonly kind: 'changed';
  /** The key of the changed document. */
  readonly document: string;
  readonly position: number;
}

/** The aggregate that orders the changes of an account's data. */
export const streamAggregate = defineAggregate<
  AccountDataStream,
  Announcement,
  AggregateDeps & Pick<Deps, 'accountData' | 'accountDataStreams'>
>({
  collection: (deps) => deps.accountDataStreams,
  effects: {
    async changed(deps, _, announcements) {
      for (const { document, position } of announcements)
        await deps.accountData.updateOne({ _id: document }, { $max: { position } });
    },
  },
});

/** What a change needs of the quotas of an account: bytes, and an object more if it is a new one. */
export interface Space {
  readonly bytes: number;
  readonly entries: number;
}

/** The account whose data grow. */
type Holder = QuotaHolder & { readonly _id: string };

/**
 * Reserves space for a document that is about to be written or to grow. A process that crashes before the write
 * leaves the space reserved; when none seems to be left, it is counted again, at most once in `RECOUNT_AFTER_MS`, and
 * not while a reserved document may still be written.
 *
 * @throws quotaExceeded when there is not enough left
 */
export async function reserve(deps: Deps, account: Holder, space: Space): Promise<void> {
  if (await tryReserve(deps, account, space)) return;
  const hasCounted = (await countEntries(deps, account._id)) || (await recount(deps, account._id));
  if (hasCounted && (await tryReserve(deps, account, space))) return;
  const { bytes = 0, entries = 0 } =
    (await deps.accountDataStreams.findOne({ _id: account._id }, { projection: { bytes: 1, entries: 1 } })) ??
    {};
  deps.quotas.require(account, 'account_data_bytes', bytes + space.bytes);
  deps.quotas.require(account, 'account_data_count', entries + space.entries);
  // A concurrent change has released space since.
  throw new Conflict('version');
}

async function tryReserve(deps: Deps, account: Holder, { bytes, entries }: Space): Promise<boolean> {
  const { _id } = account;
  const maxBytes = quotaOf(deps, account, 'account_data_bytes') - bytes;
  const maxEntries = quotaOf(deps, account, 'account_data_count') - entries;
  if (maxBytes < 0 || maxEntries < 0) return false;
  const withSpace = {
    _id,
    bytes: { $lte: maxBytes },
    // A change of an existing object needs no further one, also if there are too many.
    ...(entries > 0 ? { entries: { $lte: maxEntries } } : {}),
  };
  const reservation = {
    $inc: entries > 0 ? { bytes, entries } : { bytes },
    $set: { reserved_ts: deps.clock.now() },
  };
  try {
    await deps.accountDataStreams.unversioned.updateOne(withSpace, reservation, { upsert: true });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // The document exists: it has too little space, or a concurrent request has just created it.
    return (await deps.accountDataStreams.unversioned.updateOne(withSpace, reservation)).matchedCount > 0;
  }
}

/** A quota as a number that the store can compare. */
function quotaOf(deps: Deps, account: Holder, kind: QuotaKind): number {
  return Math.min(deps.quotas.of(account, kind), Number.MAX_SAFE_INTEGER);
}

/**
 * Counts the objects that an earlier version has stored. No process of this one adds objects before.
 *
 * @returns whether they had not been counted
 */
async function countEntries({ accountData, accountDataStreams }: Deps, userId: string): Promise<boolean> {
  const uncounted = { _id: userId, entries: null };
  if (!(await accountDataStreams.findOne(uncounted, { projection: { _id: 1 } }))) return false;
  const entries = await accountData.countDocuments({ user_id: userId });
  await accountDataStreams.unversioned.updateOne(uncounted, { $set: { entries } });
  return true;
}

/** @returns whether a recount was due */
async function recount(deps: Deps, userId: string): Promise<boolean> {
  const now = deps.clock.now();
  const stream = await deps.accountDataStreams.unversioned.findOneAndUpdate(
    {
      _id: userId,
      $and: [
        { $or: [{ counted_ts: null }, { counted_ts: { $lte: now - RECOUNT_AFTER_MS } }] },
        { $or: [{ reserved_ts: null }, { reserved_ts: { $lte: now - WRITE_MS } }] },
      ],
    },
    { $set: { counted_ts: now } },
    { returnDocument: 'after' },
  );
  if (!stream) return false;
  let bytes = 0;
  let entries = 0;
  const documents = deps.accountData.find({ user_id: userId }, { projection: { bytes: 1 } });
  for await (const document of documents) {
    bytes += document.bytes;
    entries++;
  }
  // Adds the difference, so that space which other requests reserve during the count stays reserved.
  await deps.accountDataStreams.unversioned.updateOne(
    { _id: userId },
    { $inc: { bytes: bytes - stream.bytes, entries: entries - (stream.entries ?? 0) } },
  );
  return true;
}

/** Returns what the data of an account occupy, counted again if that is due. */
export async function usedSpace(deps: Deps, userId: string): Promise<Space> {
  await countEntries(deps, userId);
  await recount(deps, userId);
  const stream = await deps.accountDataStreams.findOne({ _id: userId });
  return { bytes: stream?.bytes ?? 0, entries: stream?.entries ?? 0 };
}

/** Releases reserved space. */
export async function release(
  { accountDataStreams }: Pick<Deps, 'accountDataStreams'>,
  userId: string,
  { bytes, entries }: Space,
): Promise<void> {
  const counted = { _id: userId, entries: { $gte: entries } };
  const { matchedCount } = await accountDataStreams.unversioned.updateOne(counted, {
    $inc: { bytes: -bytes, entries: -entries },
  });
  if (matchedCount > 0) return;
  // An earlier version has stored the data, and their number is unknown until the first recount.
  await accountDataStreams.unversioned.updateOne({ _id: userId }, { $inc: { bytes: -bytes } });
}

/**
 * Gives a change its position, after those of all changes announced before: one commit assigns the position, and
 * its effect writes it to the document. A reader of all changes up to a position loads the stream first, which
 * applies pending effects, so the reader misses none, even after a crash or beside a slow process.
 *
 * @param document the key of the changed document
 * @param freed the space that the change has freed, in bytes
 */
export async function announce(deps: Deps, userId: string, document: string, freed: number): Promise<void> {
  const announced = await streamAggregate.change(deps, userId, ({ version }) => ({
    ...(freed > 0 ? { inc: { bytes: -freed } } : {}),
    effects: [{ kind: 'changed', document, position: version + 1 }],
  }));
  if (!announced) throw new Error(`The account data of ${userId} were written without reserved space`);
  deps.bus.notify(accountTopic(userId));
}
