import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { type AggregateDeps, defineAggregate, type PendingEffect } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { AccountDataStream } from '../model/account-data.ts';

/** The maximum total size of an account's data, in bytes: one response holds all of it. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The minimum time between recounts, in milliseconds: not every request to a full account may cause one. */
const RECOUNT_AFTER_MS = 10_000;

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

/**
 * Reserves space for a document that is about to be written or to grow. A process that crashes before the write
 * leaves the space reserved; when none seems to be left, it is counted again, at most once in `RECOUNT_AFTER_MS`.
 *
 * @throws refuse.tooLarge when there is not enough left
 */
export async function reserve(deps: Deps, userId: string, bytes: number): Promise<void> {
  if (await tryReserve(deps, userId, bytes)) return;
  if ((await recount(deps, userId)) && (await tryReserve(deps, userId, bytes))) return;
  throw refuse.tooLarge('The account has no space left for data');
}

async function tryReserve(deps: Deps, userId: string, bytes: number): Promise<boolean> {
  if (bytes > MAX_BYTES) return false;
  const withSpace = { _id: userId, bytes: { $lte: MAX_BYTES - bytes } };
  const reservation = { $inc: { bytes } };
  try {
    await deps.accountDataStreams.unversioned.updateOne(withSpace, reservation, { upsert: true });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // The document exists: it has too little space, or a concurrent request has just created it.
    return (await deps.accountDataStreams.unversioned.updateOne(withSpace, reservation)).matchedCount > 0;
  }
}

/** @returns whether a recount was due */
async function recount(deps: Deps, userId: string): Promise<boolean> {
  const now = deps.clock.now();
  const stream = await deps.accountDataStreams.unversioned.findOneAndUpdate(
    { _id: userId, $or: [{ counted_ts: null }, { counted_ts: { $lte: now - RECOUNT_AFTER_MS } }] },
    { $set: { counted_ts: now } },
    { returnDocument: 'after' },
  );
  if (!stream) return false;
  let counted = 0;
  const documents = deps.accountData.find({ user_id: userId }, { projection: { bytes: 1 } });
  for await (const document of documents) counted += document.bytes;
  // Adds the difference, so that space which other requests reserve during the count stays reserved.
  await deps.accountDataStreams.unversioned.updateOne(
    { _id: userId },
    { $inc: { bytes: counted - stream.bytes } },
  );
  return true;
}

/** Releases reserved space. */
export async function release(
  deps: Pick<Deps, 'accountDataStreams'>,
  userId: string,
  bytes: number,
): Promise<void> {
  await deps.accountDataStreams.unversioned.updateOne({ _id: userId }, { $inc: { bytes: -bytes } });
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
