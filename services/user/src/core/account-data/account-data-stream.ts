import { refuse } from '@steward/errors';
import { accountTopic } from '@steward/events';
import { randomId } from '@steward/kernel';
import { Conflict, commit, type Owed, retryOnConflict, settleOwed } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { AccountDataStream } from '../model/account-data.ts';

/** What an account's data may take together, in bytes: all of it is shown in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/** How long a count is trusted: who has no room left must not have all of it counted with every request. */
const RECOUNT_AFTER_MS = 10_000;

/** How long an announcement is repeated when others of the same account come between. */
const CONFLICT_DEADLINE_MS = 20_000;

/** A change whose document has yet to be stamped with its position. */
interface Announcement {
  readonly id: Owed['id'];
  readonly kind: 'changed';
  /** The key of the changed document. */
  readonly document: string;
  readonly position: number;
}

/**
 * Takes room for a document that is about to be written or to grow. A process that dies before it writes
 * leaves the room taken; when there seems to be none left, it is counted again, though not at every turn.
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
  const taking = { $inc: { bytes }, $setOnInsert: { version: 0 } };
  try {
    await deps.accountDataStreams.updateOne(withRoom, taking, { upsert: true });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // There is a document: one with more in it, or one that somebody made just now.
    return (await deps.accountDataStreams.updateOne(withRoom, taking)).matchedCount > 0;
  }
}

/** @returns whether it was time to */
async function recount(deps: Deps, userId: string): Promise<boolean> {
  const now = deps.clock.now();
  const stream = await deps.accountDataStreams.findOneAndUpdate(
    { _id: userId, $or: [{ counted_ts: null }, { counted_ts: { $lte: now - RECOUNT_AFTER_MS } }] },
    { $set: { counted_ts: now } },
    { returnDocument: 'after' },
  );
  if (!stream) return false;
  let counted = 0;
  const documents = deps.accountData.find({ user_id: userId }, { projection: { bytes: 1 } });
  for await (const document of documents) counted += document.bytes;
  // By the difference: what others take meanwhile stays taken.
  await deps.accountDataStreams.updateOne({ _id: userId }, { $inc: { bytes: counted - stream.bytes } });
  return true;
}

/** Gives back room that was not needed. */
export async function release(
  deps: Pick<Deps, 'accountDataStreams'>,
  userId: string,
  bytes: number,
): Promise<void> {
  await deps.accountDataStreams.updateOne({ _id: userId }, { $inc: { bytes: -bytes } });
}

/**
 * Gives a change its position, after those of all changes that were announced before: one commit takes
 * it, and the document is stamped with it then. Whoever reads up to a position settles what is pending
 * first, and so misses nothing, whichever process has died or is slow.
 *
 * @param document the key of the changed document
 * @param freed how much room the change has given back, in bytes
 */
export async function announce(deps: Deps, userId: string, document: string, freed: number): Promise<void> {
  const id = randomId(deps.random);
  const options = {
    deadlineMs: deps.clock.now() + CONFLICT_DEADLINE_MS,
    clock: deps.clock,
    random: deps.random,
  };
  await retryOnConflict(async () => {
    const stream = await loadStream(deps, userId);
    const announcement: Announcement = { id, kind: 'changed', document, position: stream.version + 1 };
    const inc = freed > 0 ? { bytes: -freed } : {};
    const committed = await commit(deps.accountDataStreams, stream, { inc }, [{ ...announcement }]);
    await settleStream(deps, committed);
  }, options);
  deps.bus.wake(accountTopic(userId));
}

async function loadStream(deps: Deps, userId: string): Promise<AccountDataStream> {
  const stream = await deps.accountDataStreams.findOne({ _id: userId });
  if (!stream) throw new Error(`The account data of ${userId} were written before room was taken`);
  return settleStream(deps, stream);
}

/** Stamps what was announced; safe to do twice and on two machines at once. */
export function settleStream(
  deps: Pick<Deps, 'accountData' | 'accountDataStreams'>,
  stream: AccountDataStream,
): Promise<AccountDataStream> {
  return settleOwed(deps.accountDataStreams, stream, (owed) => settleAnnouncement(deps, owed));
}

/** Stamps a changed document with its position; safe to do twice, and late. */
export async function settleAnnouncement(deps: Pick<Deps, 'accountData'>, owed: Owed): Promise<void> {
  // Only `announce` makes the references of streams.
  const { document, position } = owed as unknown as Announcement;
  await deps.accountData.updateOne({ _id: document }, { $max: { position } });
}
