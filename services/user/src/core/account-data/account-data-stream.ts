import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { type AggregateDeps, defineAggregate, type PendingEffect } from '@steward/service';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { AccountDataStream } from '../model/account-data.ts';

/** What an account's data may take together, in bytes: all of it is shown in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/** How long a count is trusted, in milliseconds: a full account must not be counted with every request. */
const RECOUNT_AFTER_MS = 10_000;

/** A change whose document has yet to be stamped with its position. */
interface Announcement extends PendingEffect {
  readonly kind: 'changed';
  /** The key of the changed document. */
  readonly document: string;
  readonly position: number;
}

/** How the order of an account's data changes. */
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
 * Takes room for a document that is about to be written or to grow. A process that crashes before it writes
 * leaves the room taken; when none seems to be left, it is counted again, at most once in `RECOUNT_AFTER_MS`.
 *
 * @throws refuse.tooLarge when there is not enough left
 */
export async function reserve(deps: Deps, userId: string, bytes: number): Promise<void> {
  if (await take(deps, userId, bytes)) return;
  if ((await recount(deps, userId)) && (await take(deps, userId, bytes))) return;
  throw refuse.tooLarge('The account keeps as much data as it may');
}

async function take(deps: Deps, userId: string, bytes: number): Promise<boolean> {
  if (bytes > MAX_BYTES) return false;
  const withRoom = { _id: userId, bytes: { $lte: MAX_BYTES - bytes } };
  const taking = { $inc: { bytes } };
  try {
    await deps.accountDataStreams.unversioned.updateOne(withRoom, taking, { upsert: true });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // There is a document: it is too full, or another request has just created it.
    return (await deps.accountDataStreams.unversioned.updateOne(withRoom, taking)).matchedCount > 0;
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
  // By the difference: what other requests take during the count stays taken.
  await deps.accountDataStreams.unversioned.updateOne(
    { _id: userId },
    { $inc: { bytes: counted - stream.bytes } },
  );
  return true;
}

/** Gives back room that was not needed. */
export async function release(
  deps: Pick<Deps, 'accountDataStreams'>,
  userId: string,
  bytes: number,
): Promise<void> {
  await deps.accountDataStreams.unversioned.updateOne({ _id: userId }, { $inc: { bytes: -bytes } });
}

/**
 * Gives a change its position, after those of all changes that were announced before: one commit takes
 * it, and the document is stamped with it as an effect. A reader of all changes up to a position loads the stream
 * first, which applies pending stamps: so the reader misses none, whichever process has crashed or is slow.
 *
 * @param document the key of the changed document
 * @param freed how much room the change has given back, in bytes
 */
export async function announce(deps: Deps, userId: string, document: string, freed: number): Promise<void> {
  const announced = await streamAggregate.change(deps, userId, ({ version }) => ({
    ...(freed > 0 ? { inc: { bytes: -freed } } : {}),
    effects: [{ kind: 'changed', document, position: version + 1 }],
  }));
  if (!announced) throw new Error(`The account data of ${userId} were written before room was taken`);
  deps.bus.wake(accountTopic(userId));
}
