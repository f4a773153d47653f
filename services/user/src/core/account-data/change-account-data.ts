import { refuse } from '@steward/errors';
import { Conflict, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { isEmptied } from '../model/account.ts';
import { type AccountData, type AccountDataName, accountDataId, sizeOf } from '../model/account-data.ts';
import { activeSession, type Caller, sessionEnded } from '../sessions/active-session.ts';
import { announce, release, reserve } from './account-data-stream.ts';

/** The size up to which an object may grow, in bytes: each change writes all of it. */
const MAX_OBJECT_BYTES = 1024 * 1024;

/**
 * Changes an object of an account's data in one conditional write, and then announces the change. When the
 * process crashes between the two, the client gets no response and repeats the request. `decide` gets the current
 * content, and runs again when a concurrent change was faster.
 *
 * @param decide returns the new content; `undefined` for no change
 * @throws refuse.tooLarge when the object would be too large, quotaExceeded when the account has no space left
 * @throws refuse.unknownToken when the session ended, or the account was emptied, during the change
 */
export async function changeAccountData(
  deps: Deps,
  caller: Caller,
  name: AccountDataName,
  decide: (content: string | undefined) => string | undefined,
): Promise<void> {
  const { userId } = caller;
  const _id = accountDataId(userId, name);
  const changed = await retryOnConflict(async () => {
    const { account } = await activeSession(deps, caller);
    const current = await deps.accountData.findOne({ _id });
    // A document from before the account was emptied is about to be removed.
    const content = decide(current && !isEmptied(account, current) ? current.content : undefined);
    if (content === undefined) return undefined;
    const { epoch } = account.sessions;
    const bytes = sizeOf(name, content);
    const more = bytes - (current?.bytes ?? 0);
    if (more > 0 && bytes > MAX_OBJECT_BYTES)
      throw refuse.tooLarge(`An object of account data has at most ${MAX_OBJECT_BYTES} bytes`);
    const space = { bytes: Math.max(more, 0), entries: current ? 0 : 1 };
    const grows = space.bytes > 0 || space.entries > 0;
    if (grows) await reserve(deps, account, space);
    try {
      await write(deps, { _id, userId, name, content, bytes, epoch, current });
    } catch (error) {
      // After any other error the write may have happened nevertheless.
      if (grows && error instanceof Conflict) await release(deps, userId, space);
      throw error;
    }
    return { epoch, less: more < 0 ? -more : 0 };
  }, deps);
  if (!changed) return;
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account || isEmptied(account, changed)) {
    await deps.accountData.deleteOne({ _id, epoch: changed.epoch });
    throw sessionEnded();
  }
  await announce(deps, userId, _id, changed.less);
}

/** Writes the object unless it has changed since it was read. */
async function write(
  deps: Deps,
  next: {
    readonly _id: string;
    readonly userId: string;
    readonly name: AccountDataName;
    readonly content: string;
    readonly bytes: number;
    readonly epoch: number;
    readonly current: AccountData | null;
  },
): Promise<void> {
  const { _id, userId, name, content, bytes, epoch, current } = next;
  if (current) {
    const { matchedCount } = await deps.accountData.updateOne(
      { _id, version: current.version },
      { $set: { content, bytes, epoch }, $inc: { version: 1 } },
    );
    if (matchedCount === 0) throw new Conflict('version');
    return;
  }
  const { roomId, type } = name;
  const fresh = {
    _id,
    user_id: userId,
    room_id: roomId,
    type,
    content,
    bytes,
    version: 1,
    position: 0,
    epoch,
  };
  await deps.accountData.insertOne(fresh).catch((error) => {
    throw error instanceof Conflict ? new Conflict('version', { cause: error }) : error;
  });
}
