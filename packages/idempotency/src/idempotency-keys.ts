import type { Report } from '@steward/events';
import { type Clock, type Random, randomId, repeat } from '@steward/kernel';
import {
  Conflict,
  type Doc,
  declareCollection,
  NOT_FLUSHED,
  removeInBatches,
  type Store,
} from '@steward/store';

/** How long a record is kept, in milliseconds: a day. */
const KEPT_MS = 24 * 60 * 60_000;

/** How often records are removed that are older, in milliseconds. */
const PRUNE_INTERVAL_MS = 10 * 60_000;

/**
 * How long an attempt has a record without renewing it, in milliseconds: after a crash, the next attempt can begin that much later. The
 * clocks of two machines differ by much less.
 */
const LEASE_MS = 10_000;
const RENEWAL_MS = LEASE_MS / 4;

/** Above this size, in bytes, an answer is not kept. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** The place of an attempt in the audit log: the id of its entry, and its time in milliseconds since the Unix epoch. */
export interface EntryPlace {
  readonly id: string;
  readonly ts: number;
}

/** What a repetition is answered from. */
interface StoredAnswer {
  /** The encoded message, in base64; absent for one that is not kept. */
  readonly message?: string;
  readonly entity_tag?: string;
  /** What the action changed or made. */
  readonly targets: readonly string[];
}

/** The record of an action. */
interface StoredKey extends Doc {
  /** The digest of the caller, the method, its path and the key. */
  readonly _id: string;
  /** When the action was first asked for, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The digest of the request, keyed with the idempotency key, which is not stored. */
  readonly request: string;
  /** From which the ids of what the action creates are derived. */
  readonly seed: string;
  /** The entry of all attempts in the audit log; absent when an attempt has ended, whose entry says so. */
  readonly entry?: EntryPlace;
  /** The attempt that carries the action out; absent when none does. */
  readonly holder?: string;
  /** Until when no other attempt is made, in milliseconds since the Unix epoch. */
  readonly lease_ts?: number;
  /** Absent while the action is carried out. */
  readonly answer?: StoredAnswer;
}

/** The records of actions. */
export const idempotencyKeys = declareCollection<StoredKey>({
  name: 'server.idempotency_keys',
  shardKey: '_id',
  indexes: [{ name: 'age', keys: [['ts', 1]] }],
});

/** An action, by digests. */
export interface KeyedAction {
  /** Of the caller, the method, its path and the key. */
  readonly id: string;
  /** Of the request. */
  readonly request: string;
}

/** The answer of an action that was carried out. */
export interface KeptAnswer {
  /** Absent for an answer that is not kept. */
  readonly message: Uint8Array | undefined;
  readonly entityTag: string | undefined;
  readonly targets: readonly string[];
  readonly entry: EntryPlace | undefined;
}

/** An attempt to carry out an action; no other one begins before it ends. Its methods never throw, because the action has been carried out. */
export interface Attempt {
  /** When the action was first asked for, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Whether an attempt failed or was interrupted before. */
  readonly isRepeated: boolean;
  readonly seed: string;
  readonly entry: EntryPlace;
  /** Keeps the answer; repetitions are then answered from it. */
  succeeded(answer: Omit<KeptAnswer, 'entry'>): Promise<void>;
  /** Forgets the action, because it was refused and has changed nothing. */
  refused(): Promise<void>;
  /** Permits the next attempt, because this one failed, perhaps in the middle. */
  failed(): Promise<void>;
  /** Leaves the action to the next attempt, which waits until the lease ends, because this one may go on. */
  abandoned(): void;
}

/** What becomes of a request with a key: an attempt, the answer of an earlier one, or a refusal. */
export type Claim =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'in_progress'; readonly retryAfterMs: number }
  | { readonly kind: 'other_request' };

/** The records of actions in the store of the process that carries them out. */
export interface IdempotencyKeys {
  /**
   * Begins an attempt unless another one has succeeded, or is in progress.
   *
   * @param newEntry makes the place of a new entry in the audit log
   */
  claim(action: KeyedAction, newEntry: () => EntryPlace): Promise<Claim>;
  /** Ends the renewal of leases and the removal of old records. */
  close(): Promise<void>;
}

/** Opens the records of actions, and removes those older than a day in the background. */
export async function startIdempotencyKeys({
  store,
  clock,
  random,
  report,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives failures of background work, which is repeated. */
  readonly report: Report;
}): Promise<IdempotencyKeys> {
  const stored = await store.collection(idempotencyKeys);
  const prune = () =>
    removeInBatches(
      stored,
      { ts: { $lt: clock.now() - KEPT_MS } },
      { sort: { ts: 1 }, options: NOT_FLUSHED },
    );
  const pruning = repeat(prune, {
    intervalMs: PRUNE_INTERVAL_MS,
    onFault: (error) => report('old idempotency keys were not removed', { error }),
  });

  /** The attempts in progress, by holder: the ids of their records. */
  const held = new Map<string, string>();
  const renew = async () => {
    if (held.size === 0) return;
    const own = { _id: { $in: [...held.values()] }, holder: { $in: [...held.keys()] } };
    await stored.updateMany(own, { $set: { lease_ts: clock.now() + LEASE_MS } }, NOT_FLUSHED);
  };
  const renewing = repeat(renew, {
    intervalMs: RENEWAL_MS,
    onFault: (error) => report('actions were not renewed', { error }),
  });

  // A power failure that loses a record, or a change of it, also loses every later change, and so the action. What it loses of an
  // answer makes the next repetition an attempt.
  const attemptOf = (
    { _id, ts, seed, entry, holder }: StoredKey & { readonly entry: EntryPlace; readonly holder: string },
    isRepeated: boolean,
  ): Attempt => {
    const own = { _id, holder };
    held.set(holder, _id);
    /** Ends the lease, and records how the attempt ended. Otherwise, the next one begins when the lease ends. */
    const end = async (record: () => Promise<unknown>) => {
      held.delete(holder);
      await record().catch((error: unknown) => report('the end of an action was not recorded', { error }));
    };
    return {
      ts,
      isRepeated,
      seed,
      entry,
      async succeeded({ message, entityTag, targets }) {
        const isKept = message !== undefined && message.length <= MAX_ANSWER_BYTES;
        const answer: StoredAnswer = {
          ...(isKept ? { message: Buffer.from(message).toString('base64') } : {}),
          ...(entityTag === undefined ? {} : { entity_tag: entityTag }),
          targets,
        };
        const change = { $set: { answer }, $unset: { holder: true, lease_ts: true } } as const;
        await end(() => stored.updateOne(own, change, NOT_FLUSHED));
      },
      refused: () => end(() => stored.deleteOne(own, NOT_FLUSHED)),
      async failed() {
        const change = { $unset: { holder: true, lease_ts: true, entry: true } } as const;
        await end(() => stored.updateOne(own, change, NOT_FLUSHED));
      },
      abandoned: () => void held.delete(holder),
    };
  };

  return {
    async claim({ id: _id, request }, newEntry) {
      for (;;) {
        const now = clock.now();
        const lease = { holder: randomId(random), lease_ts: now + LEASE_MS };
        const found = await stored.findOne({ _id });
        if (found && found.ts < now - KEPT_MS) {
          await stored.deleteOne({ _id, ts: found.ts }, NOT_FLUSHED);
          continue;
        }
        if (!found) {
          const record = { _id, ts: now, request, seed: randomId(random), entry: newEntry(), ...lease };
          try {
            await stored.insertOne(record, NOT_FLUSHED);
          } catch (error) {
            // Another attempt has begun since.
            if (error instanceof Conflict) continue;
            throw error;
          }
          return { kind: 'attempt', attempt: attemptOf(record, false) };
        }
        if (found.request !== request) return { kind: 'other_request' };
        if (found.answer) return { kind: 'answered', answer: keptAnswer(found, found.answer) };
        const { holder, lease_ts = 0 } = found;
        if (lease_ts > now) return { kind: 'in_progress', retryAfterMs: lease_ts - now };
        const taken = { ...lease, entry: found.entry ?? newEntry() };
        const unheld = holder === undefined ? { holder: { $exists: false } } : { holder, lease_ts };
        const { matchedCount } = await stored.updateOne({ _id, ...unheld }, { $set: taken }, NOT_FLUSHED);
        if (matchedCount > 0) return { kind: 'attempt', attempt: attemptOf({ ...found, ...taken }, true) };
      }
    },
    async close() {
      await Promise.all([pruning.close(), renewing.close()]);
    },
  };
}

function keptAnswer({ entry }: StoredKey, { message, entity_tag, targets }: StoredAnswer): KeptAnswer {
  return {
    message: message === undefined ? undefined : Buffer.from(message, 'base64'),
    entityTag: entity_tag,
    targets,
    entry,
  };
}
